import { IconAlertTriangle, IconCheck, IconMinus, IconX } from "@tabler/icons-react";
import type { ObjectiveStatus } from "../../api/ui.gen";
import { stateWords } from "../../lib/objectives";
import classes from "./Objectives.module.css";

const icons = { met: IconCheck, "at risk": IconAlertTriangle, missed: IconX, "no data": IconMinus };

export function StateChip({ state }: { state: ObjectiveStatus["state"] }) {
  const Icon = icons[state];
  return (
    <span className={classes.state} data-state={state}>
      <Icon size={14} stroke={2} aria-hidden />
      {stateWords[state]}
    </span>
  );
}
