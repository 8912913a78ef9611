import { IconPlus, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useId, useState } from "react";
import { colorOf } from "../../chart/palette";
import { useScheme } from "../../chart/useScheme";
import { Chip } from "../../components/controls";
import { Input } from "../../components/fields";
import { percentileName, percentilePaint } from "../../panels/distribution";
import classes from "./Editor.module.css";
import { mostPercentiles, percentileProblem, typedPercentile } from "./problems";

type Props = { all: number[]; onChange: (all: number[]) => void };

/** Which percentiles a distribution shows: a press takes one away. */
export function PercentileChips({ all, onChange }: Props) {
  const scheme = useScheme();
  return (
    <div role="group" aria-label="Percentiles">
      <p className={classes.label}>Percentiles</p>
      <div className={classes.chips}>
        {all.map((p, i) => (
          <Chip
            key={p}
            aria-label={`Remove ${percentileName(p)}`}
            onClick={() => onChange(all.filter((other) => other !== p))}
          >
            <span className={classes.dot} style={{ background: colorOf(percentilePaint(i), scheme) }} />
            {percentileName(p)}
            <IconX size={12} stroke={1.8} />
          </Chip>
        ))}
        {all.length < mostPercentiles && <Add all={all} onAdd={(p) => onChange([...all, p])} />}
      </div>
    </div>
  );
}

/** A button that becomes a field. What is wrong is said when the field is left. */
function Add({ all, onAdd }: { all: number[]; onAdd: (p: number) => void }) {
  const [text, setText] = useState<string | null>(null);
  const [left, setLeft] = useState(false);
  const id = useId();
  const problem = percentileProblem(text ?? "", all);
  const take = () => {
    setLeft(true);
    if (text === null || problem) return;
    onAdd(typedPercentile(text));
    setText(null);
  };
  const leave = () => (text?.trim() ? take() : setText(null));
  const press = (e: KeyboardEvent) => {
    if (e.key === "Enter") take();
    if (e.key !== "Escape") return;
    e.stopPropagation();
    setText(null);
  };
  const begin = () => {
    setText("");
    setLeft(false);
  };
  const wrong = left && text !== null && problem;
  return (
    <>
      {text === null ? (
        <Chip dashed onClick={begin} aria-label="Add a percentile">
          <IconPlus size={12} stroke={1.8} />
          Add
        </Chip>
      ) : (
        <Input
          className={classes.percentile ?? ""}
          aria-label="Percentile"
          aria-describedby={id}
          aria-invalid={Boolean(wrong)}
          autoFocus
          inputMode="decimal"
          placeholder="99.9"
          value={text}
          onChange={(e) => setText(e.currentTarget.value)}
          onBlur={leave}
          onKeyDown={press}
        />
      )}
      <p id={id} className={wrong ? classes.wrong : classes.note} role={wrong ? "alert" : undefined}>
        {wrong || "Any number between 0 and 100, such as 99.9."}
      </p>
    </>
  );
}
