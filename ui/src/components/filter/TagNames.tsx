import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { tags } from "../../api/metrics";
import { count } from "../../lib/format";
import { SearchField } from "../SearchField";
import classes from "./Panel.module.css";

type Props = { metrics: string[]; taken: string[]; onPick: (name: string) => void };

/** A list of tag names to filter or group by. */
export default function TagNames({ metrics, taken, onPick }: Props) {
  const [q, setQ] = useState("");
  const { data } = useQuery(tags.names(metrics));
  const found = (data?.tags ?? []).filter((t) => t.name.includes(q) && !taken.includes(t.name));
  return (
    <div className={classes.panel}>
      <div className={classes.pad}>
        <SearchField value={q} onChange={setQ} placeholder="Find a tag" mono autoFocus />
      </div>
      <div className={classes.values}>
        {found.map((t) => (
          <button key={t.name} type="button" className={classes.value} onClick={() => onPick(t.name)}>
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
