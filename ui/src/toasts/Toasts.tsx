import { useEffect, useRef } from "react";
import classes from "./Toasts.module.css";
import { dismiss, undoToast, useToast } from "./toast";

const plain = 6_000;
const withUndo = 10_000;

/** Where toasts appear: bottom left, one at a time. */
export function Toasts() {
  const toast = useToast();
  const timer = useRef(0);
  const hold = () => window.clearTimeout(timer.current);
  const wait = () => {
    hold();
    if (toast)
      timer.current = window.setTimeout(() => dismiss(toast.id), toast.undo || toast.action ? withUndo : plain);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new toast starts a new wait
  useEffect(() => {
    wait();
    return hold;
  }, [toast]);
  return (
    <div className={classes.layer} role="status" aria-live="polite" data-toasts>
      {toast && (
        <div
          key={toast.id}
          className={classes.note}
          data-tone={toast.tone}
          onPointerEnter={hold}
          onPointerLeave={wait}
          onFocus={hold}
          onBlur={wait}
        >
          <span>{toast.text}</span>
          {toast.undo && (
            <button type="button" className={classes.undo} onClick={() => undoToast()}>
              Undo
            </button>
          )}
          {toast.action && (
            <button
              type="button"
              className={classes.undo}
              onClick={() => {
                dismiss(toast.id);
                toast.action?.run();
              }}
            >
              {toast.action.label}
            </button>
          )}
          <button type="button" className={classes.close} aria-label="Close" onClick={() => dismiss(toast.id)}>
            ×
          </button>
        </div>
      )}
    </div>
  );
}
