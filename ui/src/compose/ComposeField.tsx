import { IconAlertCircle } from "@tabler/icons-react";
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { check } from "../api/compose";
import type { QueryError } from "../api/ui.gen";
import { Skeleton } from "../components/Skeleton";
import { useDebounced } from "../lib/useDebounced";
import { toast } from "../toasts/toast";
import classes from "./Compose.module.css";
import { lineOf } from "./context";
import type { EditorHandle } from "./Editor";
import type { Why } from "./why";

const Editor = lazy(() => import("./Editor"));
const Reference = lazy(() => import("./Reference"));

/** Who has not typed for as long has written what they wanted; until then nothing is wrong. */
const rest = 1_000;

type Props = {
  value: string;
  onChange: (text: string) => void;
  error?: QueryError | undefined;
  /** No error, but something to say: that nothing came back, and why. */
  empty?: Why | string | undefined;
  onRun?: () => void;
  actions?: ReactNode;
  autoFocus?: boolean;
};

/** How tall the editor will be: what is below must not move when it comes. */
export const heightOf = (text: string) => 18 + 22 * text.split("\n").length;

/** The editor with the sentence below it: what is wrong, and the fix for one click. */
export function ComposeField({ value, onChange, error: found, empty, onRun, actions, autoFocus = false }: Props) {
  const why = typeof empty === "string" ? { text: empty } : empty;
  const rested = useDebounced(value, rest);
  const error = rested === value ? found : undefined;
  const editor = useRef<EditorHandle>(null);
  const [reference, setReference] = useState(false);
  const format = async () => {
    const said = await check(value);
    if (said.formatted !== undefined) onChange(said.formatted);
    else toast(`Not formatted: ${said.error?.message ?? "it cannot be read"}.`);
  };
  const fix = (e: QueryError) =>
    e.suggestion && onChange(value.slice(0, e.offset) + e.suggestion + value.slice(e.offset + e.length));
  return (
    <div className={classes.field}>
      <Suspense fallback={<Skeleton height={heightOf(value)} radius={7} />}>
        <Editor
          ref={editor}
          value={value}
          onChange={onChange}
          error={error}
          onFormat={() => void format()}
          autoFocus={autoFocus}
          {...(onRun && { onRun })}
        />
      </Suspense>
      <div className={classes.foot}>
        <div className={classes.said} role="status">
          {error ? (
            <span className={classes.error}>
              <IconAlertCircle size={15} stroke={1.6} aria-hidden />
              <span>
                {`Line ${lineOf(value, error.offset)}: ${error.message}.`}
                {error.suggestion && " Did you mean"}
              </span>
              {error.suggestion && (
                <button type="button" className={`${classes.fix} mono`} onClick={() => fix(error)}>
                  {error.suggestion}
                </button>
              )}
            </span>
          ) : (
            <span className={classes.plain}>
              {why?.text ?? "% takes the value of the space's filter"}
              {why?.fix && (
                <button type="button" className={classes.fix} onClick={() => why.fix && onChange(why.fix.apply(value))}>
                  {why.fix.label}
                </button>
              )}
            </span>
          )}
        </div>
        <button type="button" className={classes.link} onClick={() => setReference(true)}>
          Function reference
        </button>
        {actions}
      </div>
      {reference && (
        <Suspense fallback={null}>
          <Reference close={() => setReference(false)} insert={(name) => editor.current?.insert(name)} />
        </Suspense>
      )}
    </div>
  );
}
