import type { TokenRole } from "../../../api/tokens";
import type { TokenPreview } from "../../../api/ui.gen";
import { Panel } from "../../../components/Panel";
import { fieldError } from "../../../components/problems";
import { Segments } from "../../../components/Segments";
import own from "./NewToken.module.css";
import { matchNow } from "./preview";
import { type ScopeDraft, tagWords } from "./scope";
import { WordsField } from "./WordsField";

type Props = {
  draft: ScopeDraft;
  onChange: (d: ScopeDraft) => void;
  role: TokenRole;
  preview: TokenPreview | undefined;
  error: unknown;
};

const choices = [
  { value: "all", label: "Whole organization" },
  { value: "only", label: "Only these" },
];

const whole: Record<TokenRole, string> = {
  admin: "Full Access reaches everything. Choose another role to narrow it.",
  recorder: "It can send every metric, with any tags.",
  viewer: "It can read everything: metrics, spaces, alerts and annotations.",
};

/** What a token may send or read, and from where. Nothing chosen means the whole organization from anywhere. */
export function ScopeFields({ draft, onChange, role, preview, error }: Props) {
  const set = (change: Partial<ScopeDraft>) => onChange({ ...draft, ...change });
  return (
    <>
      <Panel className={own.part ?? ""}>
        <div className={own.partHead}>
          <h3>Scope</h3>
          {role !== "admin" && (
            <Segments
              label="Scope"
              small
              options={choices}
              value={draft.only ? "only" : "all"}
              onChange={(v) => set({ only: v === "only" })}
            />
          )}
        </div>
        {role === "admin" || !draft.only ? (
          <p className="t2">{whole[role]}</p>
        ) : (
          <Only draft={draft} set={set} reads={role === "viewer"} preview={preview} error={error} />
        )}
      </Panel>
      <Panel className={own.part ?? ""}>
        <WordsField
          label="Networks"
          words={draft.networks}
          onChange={(networks) => set({ networks })}
          placeholder="address or network"
          ends={/[\s,]+/}
          error={fieldError(error, "networks")}
          hint={<Whereabouts networks={draft.networks} preview={preview} />}
        />
      </Panel>
    </>
  );
}

type OnlyProps = {
  draft: ScopeDraft;
  set: (change: Partial<ScopeDraft>) => void;
  reads: boolean;
  preview: TokenPreview | undefined;
  error: unknown;
};

function Only({ draft, set, reads, preview, error }: OnlyProps) {
  return (
    <>
      <WordsField
        label="Metrics"
        words={draft.metrics}
        onChange={(metrics) => set({ metrics })}
        placeholder="add a name or pattern"
        ends={/[\s,]+/}
        error={fieldError(error, "scope")}
        hint={
          draft.metrics.length > 0 && preview
            ? matchNow(preview.metrics)
            : "Names or patterns such as checkout.*. None means all."
        }
      />
      <WordsField
        label="Streams where"
        words={draft.tags}
        onChange={(tags) => set({ tags })}
        placeholder="site=ams,fra"
        ends={/\s+/}
        show={tagWords}
        hint={
          reads
            ? "Other streams are not there for it. It reads no spaces, alerts or annotations."
            : "A measurement with other values is refused, the rest of its request is kept."
        }
      />
      {!reads && (
        <WordsField
          label="Add to every measurement"
          words={draft.add}
          onChange={(add) => set({ add })}
          placeholder="team=checkout"
          ends={/\s+/}
          hint="It takes the place of what the sender says."
        />
      )}
    </>
  );
}

/** Where the reader is: a warning where the token would not work from there. It stops nobody. */
function Whereabouts({ networks, preview }: { networks: string[]; preview: TokenPreview | undefined }) {
  const outside = networks.length > 0 && preview && !preview.inside;
  return (
    <>
      Empty means from anywhere.{" "}
      {preview && (
        <span className={outside ? own.warning : undefined} role={outside ? "status" : undefined}>
          You are at <span className="mono">{preview.address}</span>
          {outside ? ", which is not in this list." : "."}
        </span>
      )}
    </>
  );
}
