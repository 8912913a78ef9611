import { IconX } from "@tabler/icons-react";
import type { ChartLink } from "../../api/types";
import { Chip, IconButton } from "../../components/controls";
import { TextRow } from "../../components/FieldRows";
import classes from "./Editor.module.css";
import { FieldGroup } from "./FieldGroup";
import { addressProblem } from "./problems";

type Props = { all: ChartLink[]; onChange: (all: ChartLink[]) => void };

/** Where people go on from a chart, and from each of its streams. */
export function Links({ all, onChange }: Props) {
  const set = (i: number, patch: Partial<ChartLink>) => onChange(all.map((l, n) => (n === i ? { ...l, ...patch } : l)));
  return (
    <FieldGroup label="Links" hint="In the menu of the chart, such as a runbook.">
      {all.map((l, i) => (
        <div key={i} className={classes.chartLink}>
          <TextRow
            label="Title"
            hint="What the menu says."
            value={l.title}
            placeholder="Runbook"
            onChange={(title) => set(i, { title })}
          />
          <IconButton label="Remove link" onClick={() => onChange(all.filter((_, n) => n !== i))}>
            <IconX size={14} stroke={1.8} />
          </IconButton>
          <TextRow
            label="Address"
            value={l.url}
            placeholder="https://wiki.example.org/{host}"
            hint="{host} becomes the value of the tag host."
            error={addressProblem(l.url)}
            onChange={(url) => set(i, { url })}
          />
        </div>
      ))}
      <Chip dashed onClick={() => onChange([...all, { title: "", url: "" }])}>
        + link
      </Chip>
    </FieldGroup>
  );
}
