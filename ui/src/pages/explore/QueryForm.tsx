import type { QueryError } from "../../api/ui.gen";
import { Chip } from "../../components/controls";
import { Field } from "../../components/fields";
import { QuestionRow } from "../../components/filter/QuestionRow";
import { MetricSearch } from "../../components/MetricSearch";
import { ComposeField } from "../../compose/ComposeField";
import { useWhy } from "../../compose/useWhy";
import type { Question } from "../../lib/question";
import classes from "./Explore.module.css";

export type Mode = "metric" | "composite";
type Props = {
  mode: Mode;
  onMode: (mode: Mode) => void;
  text: string;
  onText: (text: string) => void;
  error: QueryError | undefined;
  /** The expression is right, but gave nothing. */
  empty: boolean;
  metric: string | undefined;
  question: Question;
  change: (patch: Record<string, string | undefined>) => void;
};

/** The upper half of Explore: a metric and what is asked of it, or an expression. */
export function QueryForm(props: Props) {
  const { mode, onMode, text, metric } = props;
  const why = useWhy(text, props.empty);
  return (
    <div className={classes.ask}>
      <div className={classes.modes} role="tablist" aria-label="Ask for">
        {(["metric", "composite"] as const).map((m) => (
          <Chip key={m} role="tab" aria-selected={mode === m} active={mode === m} onClick={() => onMode(m)}>
            {m === "metric" ? "Metric" : "Composite"}
          </Chip>
        ))}
      </div>
      {mode === "composite" ? (
        <ComposeField
          value={text}
          onChange={props.onText}
          error={text ? props.error : undefined}
          empty={why}
          autoFocus={text === ""}
        />
      ) : (
        <>
          <div className={classes.metric}>
            <Field label="Metric" hint="Found by any part of its name.">
              {(id) => <MetricSearch id={id} value={metric ?? ""} onPick={(name) => props.change({ metric: name })} />}
            </Field>
          </div>
          {metric && (
            <div className={classes.filters}>
              <QuestionRow metric={metric} question={props.question} change={props.change} />
            </div>
          )}
        </>
      )}
    </div>
  );
}
