import { Chip } from "../../../components/controls";
import { Field, Input } from "../../../components/fields";
import { fieldError } from "../../../components/problems";
import classes from "../../../components/Settings.module.css";
import { roleText } from "../../../lib/roles";
import { canSend, type ScopeDraft } from "./scope";
import own from "./Tokens.module.css";

type Props = {
  draft: ScopeDraft;
  onChange: (d: ScopeDraft) => void;
  role: "admin" | "recorder" | "viewer";
  error: unknown;
};

/** What a token may send, and from where. Nothing chosen means the whole organization from anywhere. */
export function ScopeFields({ draft, onChange, role, error }: Props) {
  const set = (change: Partial<ScopeDraft>) => onChange({ ...draft, ...change });
  return (
    <fieldset className={own.scope}>
      <legend>Scope</legend>
      {role === "recorder" ? (
        <>
          <div className={classes.row}>
            <Chip active={!draft.only} onClick={() => set({ only: false })}>
              Whole organization
            </Chip>
            <Chip active={draft.only} onClick={() => set({ only: true })}>
              Only these
            </Chip>
          </div>
          {draft.only && <Only draft={draft} set={set} error={error} />}
        </>
      ) : (
        <p className="t2">{`${roleText(role).title} reaches everything. Choose Record Only to narrow it.`}</p>
      )}
      <Field
        label="Networks"
        error={fieldError(error, "networks")}
        hint="Addresses or networks, separated by commas, such as 10.20.0.0/16. Empty means from anywhere."
      >
        {(id) => (
          <Input id={id} mono value={draft.networks} onChange={(e) => set({ networks: e.currentTarget.value })} />
        )}
      </Field>
      <p className="t2" aria-live="polite">
        {canSend(draft, role)}
      </p>
    </fieldset>
  );
}

type OnlyProps = { draft: ScopeDraft; set: (change: Partial<ScopeDraft>) => void; error: unknown };

function Only({ draft, set, error }: OnlyProps) {
  return (
    <>
      <Field
        label="Metrics"
        error={fieldError(error, "scope")}
        hint="Names or patterns such as checkout.*, separated by commas. New metrics that match are allowed too."
      >
        {(id) => <Input id={id} mono value={draft.metrics} onChange={(e) => set({ metrics: e.currentTarget.value })} />}
      </Field>
      <Field
        label="Streams where"
        hint="Such as site=ams region=eu,us. A measurement with other values is refused, the rest of its request is kept."
      >
        {(id) => <Input id={id} mono value={draft.tags} onChange={(e) => set({ tags: e.currentTarget.value })} />}
      </Field>
    </>
  );
}
