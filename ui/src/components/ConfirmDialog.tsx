import { type FormEvent, useState } from "react";
import { Button } from "./Button";
import classes from "./ConfirmDialog.module.css";
import { answer, type Question } from "./confirm";
import { Field, Input } from "./fields";
import { Modal } from "./overlays";
import { FormError } from "./problems";

/**
 * One question. Esc keeps; Enter does what has the focus, which is never the
 * act that cannot be undone; a name that has to be typed comes first.
 */
export default function ConfirmDialog({ question: q }: { question: Question }) {
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const ready = q.name === undefined || typed === q.name;
  const keep = () => !busy && answer(false);
  const go = async (e: FormEvent) => {
    e.preventDefault();
    if (!ready || busy) return;
    setBusy(true);
    try {
      await q.act?.();
      answer(true);
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={keep} title={q.title} size={440} front>
      <form noValidate onSubmit={go} className={classes.form}>
        {q.text && <div className="t2">{q.text}</div>}
        {q.name !== undefined && (
          <Field
            label={
              <>
                Type <span className="mono">{q.name}</span> to confirm
              </>
            }
          >
            {(id) => <Input id={id} data-autofocus value={typed} onChange={(e) => setTyped(e.currentTarget.value)} />}
          </Field>
        )}
        <FormError error={error} />
        <div className={classes.actions}>
          <Button variant="default" onClick={keep} data-autofocus={q.danger && q.name === undefined ? true : undefined}>
            {q.keep ?? (q.danger ? "Keep it" : "Cancel")}
          </Button>
          <Button
            type="submit"
            color={q.danger ? "ember" : "tide"}
            disabled={!ready}
            loading={busy}
            data-autofocus={q.danger || q.name !== undefined ? undefined : true}
          >
            {q.action}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
