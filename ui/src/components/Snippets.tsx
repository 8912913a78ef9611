import { type KeyboardEvent, type ReactNode, useId, useMemo, useState } from "react";
import { highlight } from "../lib/highlight";
import { sendSnippets, snippets } from "../lib/snippets";
import { CopyButton } from "./CopyButton";
import own from "./Snippets.module.css";

const remembered = "tidemark.snippet";

type Props = {
  server: string;
  token: string;
  /** Whether the token may do everything. */
  full?: boolean;
  onCopied?: () => void;
  /** Adds the tab for everything else, with this below it. */
  other?: ReactNode;
};

/** How to send with each client, filled in; the last tab is remembered. */
export function Snippets({ server, token, full = false, onCopied, other }: Props) {
  const id = useId();
  const [tab, setTab] = useState(() => localStorage.getItem(remembered) ?? "curl");
  const all = (other ? sendSnippets : snippets)(server, token, full);
  const shown = all.find((s) => s.id === tab) ?? all[0];
  const code = shown?.code ?? "";
  const pieces = useMemo(() => highlight(code), [code]);
  if (!shown) return null;
  const choose = (next: string) => {
    setTab(next);
    localStorage.setItem(remembered, next);
  };
  const onKey = (e: KeyboardEvent<HTMLDivElement>) => {
    const by = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    const next = all[(all.indexOf(shown) + by + all.length) % all.length];
    if (!next) return;
    choose(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  };
  return (
    <>
      <div className={own.tabs} role="tablist" aria-label="Client" onKeyDown={onKey}>
        {all.map((s) => (
          <button
            key={s.id}
            id={`${id}-${s.id}`}
            type="button"
            role="tab"
            aria-selected={s.id === shown.id}
            aria-controls={`${id}-code`}
            tabIndex={s.id === shown.id ? 0 : -1}
            onClick={() => choose(s.id)}
          >
            {s.label}
          </button>
        ))}
      </div>
      <div id={`${id}-code`} className={own.code} role="tabpanel" aria-labelledby={`${id}-${shown.id}`}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, which keys must be able to do */}
        <pre className="mono" tabIndex={0}>
          {pieces.map((p, i) => (
            <span key={i} data-kind={p.kind}>
              {p.text}
            </span>
          ))}
        </pre>
        <div className={own.copy}>
          <CopyButton text={shown.code} label="Copy" {...(onCopied && { onCopied })} />
        </div>
      </div>
      {shown.id === "other" && <div className={own.other}>{other}</div>}
    </>
  );
}
