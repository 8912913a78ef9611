import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { operator } from "../api/operator";
import { Button } from "../components/Button";
import { Field, Input } from "../components/fields";
import { Modal } from "../components/overlays";
import { FormError, fieldError } from "../components/problems";
import classes from "../components/settingsPages.module.css";
import { inOrg } from "../lib/org";
import { goTo } from "../lib/prefix";

/** An organization more, for operators, who are its first Admin. It is opened at once. */
export default function NewOrg({ close }: { close: () => void }) {
  const [name, setName] = useState("");
  // A fresh page: nothing of the organization before is left.
  const make = useMutation({ mutationFn: operator.createOrg, onSuccess: (made) => goTo(inOrg("/", made.id)) });
  return (
    <Modal opened onClose={close} title="New organization">
      <form
        className={classes.form}
        noValidate
        onSubmit={(e) => {
          e.preventDefault();
          make.mutate(name);
        }}
      >
        <p className="t2">
          It shares nothing with others: it has its own metrics, spaces, alerts, tokens and members. You are its first
          Admin, and invite others.
        </p>
        <Field label="Name of the organization" hint="As people here call it." error={fieldError(make.error, "name")}>
          {(id) => <Input id={id} data-autofocus value={name} onChange={(e) => setName(e.currentTarget.value)} />}
        </Field>
        <FormError error={make.error} fields={["name"]} />
        <div className={classes.actions}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending || make.isSuccess}>
            Create organization
          </Button>
        </div>
      </form>
    </Modal>
  );
}
