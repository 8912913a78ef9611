import { useState } from "react";
import { snippets } from "../lib/snippets";
import { CopyButton } from "./CopyButton";
import own from "./Snippets.module.css";

const remembered = "tidemark.snippet";

/** How to send with each client, filled in; the last tab is remembered. */
export function Snippets({ server, token }: { server: string; token: string }) {
  const [tab, setTab] = useState(() => localStorage.getItem(remembered) ?? "curl");
  const all = snippets(server, token);
  const shown = all.find((s) => s.id === tab) ?? all[0];
  if (!shown) return null;
  return (
    <>
      <div className={own.tabs} role="tablist" aria-label="Client">
        {all.map((s) => (
          <button
            key={s.id}
            type="button"
            role="tab"
            aria-selected={s.id === shown.id}
            onClick={() => {
              setTab(s.id);
              localStorage.setItem(remembered, s.id);
            }}
          >
            {s.label}
          </button>
        ))}
      </div>
      <div className={own.code}>
        <pre className="mono">{shown.code}</pre>
        <div className={own.copy}>
          <CopyButton text={shown.code} label="Copy" />
        </div>
      </div>
    </>
  );
}
