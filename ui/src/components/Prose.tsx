import { hrefOf } from "../lib/link";
import { type Block, blocksOf, type Run } from "../lib/markdown";
import classes from "./Prose.module.css";

/** What people wrote, with links, lists and code: the little of Markdown that notes need. */
export function Prose({ text }: { text: string }) {
  return (
    <div className={`t2 ${classes.prose}`}>
      {blocksOf(text).map((b, i) => (
        <Part key={i} block={b} />
      ))}
    </div>
  );
}

function Part({ block: b }: { block: Block }) {
  if (b.kind === "code") return <pre className="mono">{b.text}</pre>;
  if (b.kind === "list") {
    const List = b.numbered ? "ol" : "ul";
    return (
      <List>
        {b.items.map((runs, i) => (
          <li key={i}>
            <Runs runs={runs} />
          </li>
        ))}
      </List>
    );
  }
  return (
    <p data-head={b.kind === "head" || undefined}>
      {b.lines.map((runs, i) => (
        <span key={i}>
          {i > 0 && <br />}
          <Runs runs={runs} />
        </span>
      ))}
    </p>
  );
}

const Runs = ({ runs }: { runs: Run[] }) =>
  runs.map((r, i) =>
    r.kind === "link" ? (
      <a
        key={i}
        href={hrefOf(r.href)}
        {...(!r.href.startsWith("/") && { target: "_blank", rel: "noopener noreferrer" })}
      >
        {r.text}
      </a>
    ) : r.kind === "code" ? (
      <code key={i} className="mono">
        {r.text}
      </code>
    ) : r.kind === "bold" ? (
      <b key={i}>{r.text}</b>
    ) : (
      r.text
    ),
  );
