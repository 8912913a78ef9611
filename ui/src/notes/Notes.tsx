import { useEffect, useRef } from "react";
import classes from "./Notes.module.css";
import { dismiss, undoNote, useNote } from "./notes";

const plain = 6_000;
const withUndo = 10_000;

/** Where notes appear: bottom left, one at a time. */
export function Notes() {
  const note = useNote();
  const timer = useRef(0);
  const wait = () => {
    window.clearTimeout(timer.current);
    if (note) timer.current = window.setTimeout(() => dismiss(note.id), note.undo || note.action ? withUndo : plain);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new note starts a new wait
  useEffect(() => {
    wait();
    return () => window.clearTimeout(timer.current);
  }, [note]);
  return (
    <div className={classes.layer} role="status" aria-live="polite">
      {note && (
        <div
          key={note.id}
          className={classes.note}
          data-tone={note.tone}
          onPointerEnter={() => window.clearTimeout(timer.current)}
          onPointerLeave={wait}
        >
          <span>{note.text}</span>
          {note.undo && (
            <button type="button" className={classes.undo} onClick={() => undoNote()}>
              Undo
            </button>
          )}
          {note.action && (
            <button
              type="button"
              className={classes.undo}
              onClick={() => {
                dismiss(note.id);
                note.action?.run();
              }}
            >
              {note.action.label}
            </button>
          )}
          <button type="button" className={classes.close} aria-label="Close" onClick={() => dismiss(note.id)}>
            ×
          </button>
        </div>
      )}
    </div>
  );
}
