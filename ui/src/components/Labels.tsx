import { type KeyboardEvent, useState } from "react";
import { type Labels as LabelsOf, labelList, labelsFull, readLabel } from "../lib/labels";
import { Tag } from "./controls";
import { Field, Input } from "./fields";
import classes from "./Labels.module.css";

/** The labels of something: team=checkout tier=1. */
export function Labels({ labels, most }: { labels: LabelsOf; most?: number }) {
  const all = labelList(labels);
  if (all.length === 0) return null;
  const left = most ? all.length - most : 0;
  return (
    <span className={classes.labels}>
      {all.slice(0, most).map((l) => (
        <Tag key={l}>{l}</Tag>
      ))}
      {left > 0 && <span className="t3" data-tip={all.slice(most).join(", ")}>{`+ ${left}`}</span>}
    </span>
  );
}

type FieldProps = {
  labels: LabelsOf;
  onChange: (labels: LabelsOf) => void;
  /** What the server says of them. */
  error?: string | undefined;
  label?: string;
  hint?: string;
  /** Labels that others have, to choose from while typing. */
  known?: string[];
  /** Called with what is typed and no label, and when that is over. */
  onProblem?: (problem: string | undefined) => void;
};

/** Labels to add and remove: what is typed becomes one with Enter, a comma, or when the field is left. */
export function LabelField({ labels, onChange, error, label = "Labels", hint, known = [], onProblem }: FieldProps) {
  const [text, setText] = useState("");
  const [problem, setOwn] = useState<string>();
  const setProblem = (said: string | undefined) => {
    setOwn(said);
    onProblem?.(said);
  };
  const add = () => {
    if (text.trim() === "") return setProblem(undefined);
    const read = readLabel(text);
    const wrong = "problem" in read ? read.problem : labelsFull(labels, read.name);
    setProblem(wrong);
    if (wrong || "problem" in read) return;
    onChange({ ...labels, [read.name]: read.value });
    setText("");
  };
  const drop = (name: string) =>
    onChange(Object.fromEntries(Object.entries(labels).filter(([other]) => other !== name)));
  const onKey = (e: KeyboardEvent<HTMLInputElement>) => {
    if (e.key === "Backspace" && text === "") {
      const last = Object.keys(labels).sort().at(-1);
      if (last) drop(last);
    }
    if (text.trim() === "") return;
    const saves = (e.ctrlKey || e.metaKey) && e.key === "s"; // what is typed is meant to be saved too
    if (e.key === "Enter" || e.key === ",") e.preventDefault();
    if (saves || e.key === "Enter" || e.key === ",") add();
  };
  return (
    <Field label={label} error={problem ?? error} hint={hint}>
      {(id) => (
        <div className={classes.field}>
          {Object.entries(labels)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, value]) => (
              <Tag key={name} onRemove={() => drop(name)} removeLabel={`Remove ${name}=${value}`}>
                {`${name}=${value}`}
              </Tag>
            ))}
          <Input
            id={id}
            mono
            list={`${id}-known`}
            placeholder="team=checkout"
            value={text}
            onChange={(e) => {
              setText(e.currentTarget.value);
              // Gone as soon as it is right; said when the field is left.
              if (problem && "name" in readLabel(e.currentTarget.value)) setProblem(undefined);
            }}
            onKeyDown={onKey}
            onBlur={add}
          />
          <datalist id={`${id}-known`}>
            {known.map((k) => (
              <option key={k} value={k} />
            ))}
          </datalist>
        </div>
      )}
    </Field>
  );
}
