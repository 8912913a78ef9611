import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { tags } from "../../api/metrics";
import { count } from "../../lib/format";
import { sameText } from "../../lib/tagOf";
import { SearchField } from "../SearchField";
import classes from "./Panel.module.css";
import { useChosen } from "./useChosen";

type Props = { metrics: string[]; taken: string[]; onPick: (name: string) => void };

/** A list of tag names to filter or group by. */
export default function TagNames({ metrics, taken, onPick }: Props) {
  const [q, setQ] = useState("");
  const { data } = useQuery(tags.names(metrics));
  const box = useId();
  const found = (data?.tags ?? []).filter(
    (t) => t.name.toLowerCase().includes(q.toLowerCase()) && !taken.some((n) => sameText(n, t.name)),
  );
  const chosen = useChosen(found.length, (at) => found[at] && onPick(found[at].name));
  const type = (text: string) => {
    setQ(text);
    chosen.first();
  };
  return (
    <div className={classes.panel}>
      <div className={classes.pad}>
        <SearchField
          value={q}
          onChange={type}
          placeholder="Find a tag"
          mono
          autoFocus
          onKeyDown={chosen.onKeyDown}
          chosen={found.length ? `${box}-${chosen.at}` : undefined}
        />
      </div>
      <div className={classes.values}>
        {found.map((t, i) => (
          <button
            key={t.name}
            id={`${box}-${i}`}
            type="button"
            className={classes.value}
            data-chosen={i === chosen.at || undefined}
            onClick={() => onPick(t.name)}
          >
            <span className="mono cut">{t.name}</span>
            <span className={classes.streams}>{count(t.values, "value")}</span>
          </button>
        ))}
        {data && found.length === 0 && (
          <p className={classes.none}>{q ? `No tag holds ${q}.` : "These streams have no other tags."}</p>
        )}
      </div>
    </div>
  );
}
