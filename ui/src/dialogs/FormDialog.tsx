import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { needs } from "../api/required";
import { Button } from "../components/Button";
import { TextField } from "../components/fields";
import { Modal } from "../components/overlays";
import { FormError, fieldError } from "../components/problems";
import classes from "./Dialogs.module.css";

type FormProps = {
  title: string;
  action: string;
  close: () => void;
  run: () => Promise<unknown>;
  children: (error: unknown) => ReactNode;
  fields?: string[];
  /** While what it asks about is being loaded. */
  disabled?: boolean;
  danger?: boolean;
};

/** A dialog with one thing to do: what goes wrong is said inside it. */
export function FormDialog({
  title,
  action,
  close,
  run,
  children,
  fields = [],
  disabled = false,
  danger = false,
}: FormProps) {
  const client = useQueryClient();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  return (
    <Modal opened onClose={close} title={title}>
      <form
        noValidate
        className={classes.form}
        onSubmit={async (e) => {
          e.preventDefault();
          setBusy(true);
          try {
            await run();
            await client.invalidateQueries({ queryKey: ["spaces"] });
            close();
          } catch (err) {
            setError(err);
          }
          setBusy(false);
        }}
      >
        {children(error)}
        <FormError error={error} fields={fields} />
        <div className={classes.actions}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={disabled} {...(danger && { color: "ember" })}>
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

type NameProps = Pick<FormProps, "title" | "action" | "close"> & {
  initial: string;
  placeholder?: string;
  /** It may be left empty. */
  optional?: boolean;
  run: (name: string) => Promise<unknown>;
};

/** A dialog that asks for a name. */
export function NameDialog({ title, action, initial, placeholder, optional = false, close, run }: NameProps) {
  const [name, setName] = useState(initial);
  const ask = needs(optional ? [] : ["name"], (body: { name: string }) => run(body.name));
  return (
    <FormDialog title={title} action={action} close={close} run={() => ask({ name: name.trim() })} fields={["name"]}>
      {(error) => (
        <TextField
          label="Name"
          placeholder={placeholder}
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
          error={fieldError(error, "name")}
          data-autofocus
          onFocus={(e) => e.currentTarget.select()}
          autoComplete="off"
        />
      )}
    </FormDialog>
  );
}
