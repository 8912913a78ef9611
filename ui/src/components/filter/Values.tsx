import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { tags } from "../../api/metrics";
import { count } from "../../lib/format";
import { Switch } from "../fields";
import { SearchField } from "../SearchField";
import type { ChipProps } from "./FilterBar";
import classes from "./Panel.module.css";
import { useChosen } from "./useChosen";

type Props = Pick<ChipProps, "filter" | "grouped" | "metrics" | "onFilter" | "onGroup" | "reach">;

/** The values of a tag, and what is to be done with those that are chosen. */
export default function Values({ filter, grouped, metrics, onFilter, onGroup, reach }: Props) {
  const [q, setQ] = useState("");
  const box = useId();
  const client = useQueryClient();
  const asked = tags.values(metrics, filter.name, q);
  const { data, isPlaceholderData } = useQuery(asked);
  const known = data?.values ?? [];
  // What was chosen stays in the list, also when it has no streams now.
  const gone = filter.values
    .filter((v) => !known.some((k) => k.value === v) && v.includes(q))
    .map((value) => ({ value, streams: 0 }));
  const toggle = (v: string) =>
    onFilter(
      filter.name,
      filter.values.includes(v) ? filter.values.filter((x) => x !== v) : [...filter.values, v],
      filter.not,
    );
  const shown = [...known, ...gone];
  // Whoever types fast means what they typed, not what was found before it.
  const chosen = useChosen(shown.length, (at) => {
    if (!isPlaceholderData) return shown[at] && toggle(shown[at].value);
    void client.fetchQuery(asked).then(({ values: [first] }) => first && toggle(first.value));
  });
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
          placeholder={`Find a value of ${filter.name}`}
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
            <input type="checkbox" checked={filter.values.includes(v.value)} onChange={() => toggle(v.value)} />
            <span className="mono cut">{v.value}</span>
            <span className={classes.streams}>{count(v.streams, "stream")}</span>
          </label>
        ))}
        {data && shown.length === 0 && (
          <p className={classes.none}>{q ? `No value holds ${q}.` : "No stream has this tag."}</p>
        )}
      </div>
      <div className={classes.foot}>
        <Switch
          small
          label="Leave these out instead"
          checked={filter.not}
          disabled={filter.values.length === 0}
          onChange={(on) => onFilter(filter.name, filter.values, on)}
        />
        <Switch
          small
          label={`One line per ${filter.name}`}
          checked={grouped}
          onChange={(on) => onGroup(filter.name, on)}
        />
        {reach && <p className="t3">{reach(filter.name)}</p>}
      </div>
    </div>
  );
}
