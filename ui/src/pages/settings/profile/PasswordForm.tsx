import { Button } from "@mantine/core";
import { useState } from "react";
import { signedIn } from "../../../api/org";
import { useChange } from "../../../api/resource";
import { Field, Input } from "../../../components/fields";
import { FormError, fieldError } from "../../../components/problems";
import { note } from "../../../notes/notes";
import classes from "../Settings.module.css";

/** A new password, which ends all other sessions. */
export function PasswordForm() {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const change = useChange(["sessions"], signedIn.profile);
  const done = () => {
    setCurrent("");
    setPassword("");
    note("Your password is changed. Other sessions are signed out.");
  };
  return (
    <form
      className={classes.form}
      onSubmit={(e) => {
        e.preventDefault();
        change.mutate({ password, current_password: current }, { onSuccess: done });
      }}
    >
      <div className={classes.two}>
        <Field label="Current password" error={fieldError(change.error, "current_password")}>
          {(id) => (
            <Input
              id={id}
              type="password"
              autoComplete="current-password"
              value={current}
              onChange={(e) => setCurrent(e.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="New password" error={fieldError(change.error, "password")} hint="At least 10 characters.">
          {(id) => (
            <Input
              id={id}
              type="password"
              autoComplete="new-password"
              value={password}
              onChange={(e) => setPassword(e.currentTarget.value)}
            />
          )}
        </Field>
      </div>
      <FormError error={change.error} fields={["password", "current_password"]} />
      <div>
        <Button type="submit" variant="default" disabled={!password} loading={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}
