import { useState } from "react";
import { needs } from "../api/required";
import { useChange } from "../api/resource";
import type { NewPasskey } from "../api/ui.gen";
import { Button } from "../components/Button";
import { Field, Input } from "../components/fields";
import { Modal } from "../components/overlays";
import { FormError, fieldError } from "../components/problems";
import classes from "../components/settingsPages.module.css";
import { browserName } from "../lib/browser";

type Props = {
  title: string;
  action: string;
  initial?: string;
  save: (name: string) => Promise<NewPasskey | undefined>;
  done?: (answer: NewPasskey | undefined) => void;
  close: () => void;
};

/** Asks how a passkey is called; at first after where it was made. */
export function NamePasskey({ title, action, initial, save, done, close }: Props) {
  const [name, setName] = useState(initial ?? browserName(navigator.userAgent));
  const keep = useChange(
    ["security"],
    needs(["name"], (body: { name: string }) => save(body.name)),
  );
  const finish = (answer: NewPasskey | undefined) => {
    close();
    done?.(answer);
  };
  return (
    <Modal opened onClose={close} title={title} size={400} front>
      <form
        noValidate
        className={classes.form}
        onSubmit={(e) => {
          e.preventDefault();
          keep.mutate({ name: name.trim() }, { onSuccess: finish });
        }}
      >
        <Field
          label="Name"
          hint="Such as Work laptop, or Security key in the safe."
          error={fieldError(keep.error, "name")}
        >
          {(id) => <Input id={id} data-autofocus value={name} onChange={(e) => setName(e.currentTarget.value)} />}
        </Field>
        <FormError error={keep.error} fields={["name"]} />
        <div className={classes.actions}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={keep.isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
