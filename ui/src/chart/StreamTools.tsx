import { useId } from "react";
import { Input, Select, Switch } from "../components/fields";
import { SearchField } from "../components/SearchField";
import { isBadLimit, type Limit, type StreamView, shows } from "./streams";
import classes from "./Workbench.module.css";

type Props = {
  view: StreamView;
  onView: (v: StreamView) => void;
  shared: [string, string][];
  only: boolean;
  onOnly: (on: boolean) => void;
  limit: Limit;
  onLimit: (limit: Limit) => void;
};

const sides = [
  { value: "above", label: "above" },
  { value: "below", label: "below" },
];

/** What is shown of many streams: those with a word, the highest, the tags that differ, what is beyond a number. */
export function StreamTools({ view, onView, shared, only, onOnly, limit, onLimit }: Props) {
  const id = useId();
  return (
    <div className={classes.streamTools}>
      <SearchField
        value={view.find}
        onChange={(find) => onView({ ...view, find })}
        placeholder="Find streams: web or host:web-01"
      />
      <span className={classes.inline}>
        <label htmlFor={`${id}-show`}>Show</label>
        <Select
          id={`${id}-show`}
          small
          options={shows}
          value={view.show}
          onChange={(show) => onView({ ...view, show })}
        />
      </span>
      <span className={classes.inline}>
        <label htmlFor={`${id}-side`}>Mark</label>
        <Select
          id={`${id}-side`}
          small
          options={sides}
          value={limit.side}
          onChange={(side) => onLimit({ ...limit, side: side as Limit["side"] })}
        />
        <Input
          aria-label={`Mark ${limit.side}`}
          inputMode="decimal"
          className={classes.limit}
          value={limit.text}
          aria-invalid={isBadLimit(limit)}
          onChange={(e) => onLimit({ ...limit, text: e.currentTarget.value })}
        />
      </span>
      {shared.length > 0 && (
        <>
          <Switch small label="Only differing tags" checked={only} onChange={onOnly} />
          {only && <span className="t3 cut">{`same for all: ${shared.map(([k, v]) => `${k}=${v}`).join(" ")}`}</span>}
        </>
      )}
    </div>
  );
}
