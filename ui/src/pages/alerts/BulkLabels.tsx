import { useState } from "react";
import type { AlertSummary } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { Tag } from "../../components/controls";
import { LabelField } from "../../components/Labels";
import { Modal } from "../../components/overlays";
import { count } from "../../lib/format";
import { type Labels, labelsOf, labelText } from "../../lib/labels";
import classes from "./Bulk.module.css";
import parts from "./pillsAndLinks.module.css";

type Props = { selected: AlertSummary[]; save: (labels: Labels) => void; close: () => void };

/** Labels to add to the selected alerts, and to take from them; an empty value takes one away. */
export function BulkLabels({ selected, save, close }: Props) {
  const [added, setAdded] = useState<Labels>({});
  const [removed, setRemoved] = useState<string[]>([]);
  const [problem, setProblem] = useState<string>();
  const had = labelsOf(selected).filter((l) => !removed.includes(l.name));
  const change = { ...Object.fromEntries(removed.map((name) => [name, ""])), ...added };
  const nothing = Object.keys(change).length === 0;
  const [tried, setTried] = useState(false);
  const submit = () => {
    setTried(true);
    if (nothing || problem) return;
    save(change);
    close();
  };
  return (
    <Modal opened onClose={close} title={`Labels of ${count(selected.length, "alert")}`}>
      {had.length > 0 && (
        <div className={classes.had}>
          {had.map((l) => (
            <Tag
              key={labelText(l.name, l.value)}
              onRemove={() => setRemoved([...removed, l.name])}
              removeLabel={`Remove ${l.name}`}
            >
              {labelText(l.name, l.value)}
              {l.count < selected.length && ` (${l.count})`}
            </Tag>
          ))}
        </div>
      )}
      <LabelField
        label="Add"
        error={tried && nothing ? "Nothing is added or removed yet." : undefined}
        hint="All selected alerts get them."
        labels={added}
        onChange={setAdded}
        onProblem={setProblem}
      />
      <div className={parts.actions}>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button onClick={submit}>Save</Button>
      </div>
    </Modal>
  );
}
