import { toggled } from "../../lib/tagOf";
import { Switch } from "../fields";
import type { ChipProps } from "./FilterBar";
import classes from "./Panel.module.css";
import { ValueList } from "./ValueList";

type Props = Pick<ChipProps, "filter" | "grouped" | "metrics" | "onFilter" | "onGroup" | "reach">;

/** The values of a tag, and what is to be done with those that are chosen. */
export default function Values({ filter, grouped, metrics, onFilter, onGroup, reach }: Props) {
  const toggle = (v: string) => onFilter(filter.name, toggled(filter.values, v), filter.not);
  return (
    <div className={classes.panel}>
      <ValueList metrics={metrics} name={filter.name} picked={filter.values} onToggle={toggle} />
      <div className={classes.foot}>
        <Switch
          small
          label="Leave these out instead"
          hint="Everything but these is shown."
          checked={filter.not}
          disabled={filter.values.length === 0}
          onChange={(on) => onFilter(filter.name, filter.values, on)}
        />
        <Switch
          small
          label={`One line per ${filter.name}`}
          hint="Streams with the same value become one."
          checked={grouped}
          onChange={(on) => onGroup(filter.name, on)}
        />
        {reach && <p className="t3">{reach(filter.name)}</p>}
      </div>
    </div>
  );
}
