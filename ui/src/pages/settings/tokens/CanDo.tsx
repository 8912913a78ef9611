import { IconAlertTriangle, IconCheck, IconMinus } from "@tabler/icons-react";
import type { TokenRole } from "../../../api/tokens";
import type { SenderGroup, TokenPreview } from "../../../api/ui.gen";
import { Panel } from "../../../components/Panel";
import { number } from "../../../lib/format";
import own from "./NewToken.module.css";
import { fate, leftOut, whoSends } from "./preview";
import { abilities, type Piece } from "./scope";

/** What a token can do, as one sentence. */
export function Sentence({ pieces }: { pieces: Piece[] }) {
  return pieces.map((p, i) => {
    const key = `${i} ${p.text}`;
    if (p.as === "mono")
      return (
        <span key={key} className="mono">
          {p.text}
        </span>
      );
    return p.as === "bold" ? <b key={key}>{p.text}</b> : <span key={key}>{p.text}</span>;
  });
}

/** What a token can do, and four things that tell it from others. */
export function CanDo({ role, scoped, sentence }: { role: TokenRole; scoped: boolean; sentence: Piece[] }) {
  return (
    <Panel className={own.side ?? ""} aria-label="What this token can do">
      <h3>What this token can do</h3>
      <p>
        <Sentence pieces={sentence} />
      </p>
      <ul className={own.abilities}>
        {abilities(role, scoped).map((a) => (
          <li key={a.text} className={a.warning ? own.warning : a.can ? undefined : own.no}>
            {a.warning ? (
              <IconAlertTriangle size={14} stroke={1.8} aria-label="Warning:" />
            ) : a.can ? (
              <IconCheck size={14} stroke={1.8} color="var(--tm-grn)" aria-label="Can:" />
            ) : (
              <IconMinus size={14} stroke={1.8} aria-label="Cannot:" />
            )}
            {a.text}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What would happen to those who send now. */
export function IfSendersUsedIt({ preview, error }: { preview: TokenPreview | undefined; error: unknown }) {
  return (
    <Panel className={own.side ?? ""} aria-label="If your senders used it">
      <h3>If your senders used it</h3>
      <small className="t2">checked against the last 24 hours</small>
      <div aria-live="polite">
        {error ? (
          <p className={own.warning}>{`Not checked: ${error instanceof Error ? error.message : String(error)}`}</p>
        ) : preview ? (
          <Groups preview={preview} />
        ) : (
          <p className="t2">Checking…</p>
        )}
      </div>
    </Panel>
  );
}

/** How somebody learns that a token is narrowed, by its name. */
export function Refusals({ name }: { name: string }) {
  return (
    <p className={own.foot}>
      {"Refusals answer 403 and name the reason, such as that a metric "}
      <span className="mono">{`is outside the scope of token ${name.trim() || "…"}`}</span>
    </p>
  );
}

function Groups({ preview }: { preview: TokenPreview }) {
  const more = leftOut(preview);
  if (preview.senders.length === 0) return <p className="t2">Nothing arrived in the last 24 hours.</p>;
  return (
    <>
      <ul className={own.fates}>
        {preview.senders.map((g) => (
          <Fate key={`${g.names[0]} ${fate(g)}`} group={g} />
        ))}
      </ul>
      {more && <p className={own.warning}>{more}</p>}
      <p className={own.foot}>
        Senders are told apart by the tag host, source, host.name or instance of what arrived, and located by the
        addresses that used a token. Counted are values.
      </p>
    </>
  );
}

function Fate({ group }: { group: SenderGroup }) {
  const fine = group.reasons.length === 0;
  return (
    <li>
      {fine ? (
        <IconCheck size={16} stroke={1.8} color="var(--tm-grn)" aria-label="Accepted:" />
      ) : (
        <IconAlertTriangle
          size={16}
          stroke={1.8}
          color="var(--tm-amb)"
          aria-label={group.refused > 0 ? "Refused:" : "Not known:"}
        />
      )}
      <span>
        <span className="mono">{whoSends(group)}</span>
        <small className={fine ? "t2" : own.warning}>{fate(group)}</small>
      </span>
      <span className="num">{number(group.values)}</span>
    </li>
  );
}
