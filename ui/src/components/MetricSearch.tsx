import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { metrics } from "../api/metrics";
import type { MetricSummary } from "../api/ui.gen";
import { count, value } from "../lib/format";
import { highlight } from "../lib/text";
import classes from "./MetricSearch.module.css";

type Props = {
  value: string;
  onPick: (name: string, metric?: MetricSummary) => void;
  autoFocus?: boolean;
  label?: string;
  id?: string;
  placeholder?: string;
};

/** Words with what was looked for in bold. */
export function Highlighted({ text, q }: { text: string; q: string }): ReactNode {
  return highlight(text, q).map(([run, hit], i) => (hit ? <b key={i}>{run}</b> : <span key={i}>{run}</span>));
}

/** A field that finds metrics by glob or by words, with what they are now. */
export function MetricSearch({
  value: current,
  onPick,
  autoFocus = false,
  label = "Metric",
  id,
  placeholder = "Find a metric: checkout.* or words",
}: Props) {
  const [text, setText] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const q = text ?? "";
  const open = text !== null;
  const client = useQueryClient();
  const { data, isPlaceholderData } = useQuery({ ...metrics.search(q, 0, 30), enabled: open });
  const found = open ? (data?.metrics ?? []) : [];
  const pick = (m: MetricSummary) => {
    onPick(m.name, m);
    setText(null);
  };
  const options = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the arrows choose comes into sight
  useEffect(() => {
    options.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  // What was typed counts, not what was found for fewer letters.
  const take = async () => {
    const answer =
      data && !isPlaceholderData ? data : await client.fetchQuery(metrics.search(q, 0, 30)).catch(() => undefined);
    const hit = answer?.metrics[answer === data ? at : 0];
    if (hit) pick(hit);
    else if (q && !q.includes("*")) onPick(q);
  };
  return (
    <div className={classes.box}>
      <input
        ref={input}
        id={id}
        className={`${classes.input} mono`}
        role="combobox"
        aria-label={label}
        aria-expanded={open}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={found[at] ? `${list}-${at}` : undefined}
        placeholder={placeholder}
        value={text ?? current}
        spellCheck={false}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: choosing a metric is what the row was opened for
        autoFocus={autoFocus}
        onFocus={(e) => {
          setText("");
          e.currentTarget.select();
        }}
        // Chosen or closed, it keeps the focus: a press or an arrow opens it again.
        onPointerDown={() => document.activeElement === input.current && setText(text ?? "")}
        onBlur={() => setText(null)}
        onChange={(e) => {
          setText(e.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(e) => {
          if (e.key === "ArrowDown" || e.key === "ArrowUp") {
            e.preventDefault();
            if (!open) setText("");
            setAt((found.length + at + (e.key === "ArrowDown" ? 1 : -1)) % Math.max(1, found.length));
          }
          if (e.key === "Enter" && open) {
            e.preventDefault();
            void take();
          }
          if (e.key === "Escape" && open) {
            e.stopPropagation();
            setText(null);
          }
        }}
      />
      {open && (
        <div ref={options} className={classes.list} id={list} role="listbox" aria-label="Metrics" tabIndex={-1}>
          {found.map((m, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
            <div
              key={m.name}
              id={`${list}-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === at}
              className={classes.option}
              onPointerDown={(e) => e.preventDefault()}
              onPointerEnter={() => setAt(i)}
              onClick={() => pick(m)}
            >
              <span className="mono cut">
                <Highlighted text={m.name} q={q} />
              </span>
              <span className="t3">{`${m.type}, ${count(m.streams, "stream")}`}</span>
              <span className={classes.value}>{value(m.last_value, m.units)}</span>
            </div>
          ))}
          {data && found.length === 0 && (
            <p className={classes.none}>
              {`Nothing matches ${q}.`}
              {data.did_you_mean && (
                <button
                  type="button"
                  onPointerDown={(e) => e.preventDefault()}
                  onClick={() => setText(data.did_you_mean ?? "")}
                >
                  {`Did you mean ${data.did_you_mean}?`}
                </button>
              )}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
