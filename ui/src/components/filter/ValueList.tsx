import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { tags } from "../../api/metrics";
import { count } from "../../lib/format";
import { sameText } from "../../lib/tagOf";
import { SearchField } from "../SearchField";
import classes from "./Panel.module.css";
import { useChosen } from "./useChosen";

type Props = { metrics: string[]; name: string; picked: string[]; onToggle: (value: string) => void };

const isPattern = (value: string) => value.startsWith("!") || value.includes("*");

/** The values of a tag, searched on the server; Enter and a press pick one, or give it back. */
export function ValueList({ metrics, name, picked, onToggle }: Props) {
  const [q, setQ] = useState("");
  const box = useId();
  const client = useQueryClient();
  const asked = tags.values(metrics, name, q);
  const { data, isPlaceholderData } = useQuery(asked);
  const known = data?.values ?? [];
  // What was picked stays in the list, also when it has no streams now.
  const gone = picked
    .filter((v) => !known.some((k) => sameText(k.value, v)) && v.includes(q))
    .map((value) => ({ value, streams: 0 }));
  const shown = [...known, ...gone];
  // Whoever types fast means what they typed, not what was found before it.
  const chosen = useChosen(shown.length, (at) => {
    if (!isPlaceholderData) return shown[at] && onToggle(shown[at].value);
    void client.fetchQuery(asked).then(({ values: [first] }) => first && onToggle(first.value));
  });
  const type = (text: string) => {
    setQ(text);
    chosen.first();
  };
  return (
    <>
      <div className={classes.pad}>
        <SearchField
          value={q}
          onChange={type}
          placeholder={`Find a value of ${name}`}
          mono
          autoFocus
          onKeyDown={chosen.onKeyDown}
          chosen={shown.length ? `${box}-${chosen.at}` : undefined}
        />
      </div>
      <div className={classes.values}>
        {shown.map((v, i) => (
          <label
            key={v.value}
            id={`${box}-${i}`}
            className={classes.value}
            data-chosen={(q !== "" || chosen.at > 0) && i === chosen.at ? true : undefined}
          >
            <input
              type="checkbox"
              checked={picked.some((p) => sameText(p, v.value))}
              onChange={() => onToggle(v.value)}
            />
            <span className="mono cut">{v.value}</span>
            <span className={classes.streams}>{isPattern(v.value) ? "pattern" : count(v.streams, "stream")}</span>
          </label>
        ))}
        {data && shown.length === 0 && (
          <p className={classes.none}>{q ? `No value holds ${q}.` : "No stream has this tag."}</p>
        )}
      </div>
    </>
  );
}
