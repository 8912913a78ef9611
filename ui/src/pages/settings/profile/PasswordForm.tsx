import { useState } from "react";
import { signedIn } from "../../../api/org";
import { needs } from "../../../api/required";
import { useChange } from "../../../api/resource";
import { Button } from "../../../components/Button";
import { Field, Input } from "../../../components/fields";
import { FormError, fieldError } from "../../../components/problems";
import classes from "../../../components/settingsPages.module.css";
import { toast } from "../../../toasts/toast";

/** A new password, which ends all other sessions. */
export function PasswordForm() {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const change = useChange(["sessions"], needs(["password"], signedIn.profile));
  const done = () => {
    setCurrent("");
    setPassword("");
    toast("Your password is changed. Other sessions are signed out.");
  };
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(e) => {
        e.preventDefault();
        change.mutate({ password, current_password: current }, { onSuccess: done });
      }}
    >
      <div className={classes.two}>
        <Password
          label="Current password"
          autoComplete="current-password"
          error={fieldError(change.error, "current_password")}
          value={current}
          onChange={setCurrent}
        />
        <Password
          label="New password"
          autoComplete="new-password"
          hint="At least 10 characters."
          error={fieldError(change.error, "password")}
          value={password}
          onChange={setPassword}
        />
      </div>
      <FormError error={change.error} fields={["password", "current_password"]} />
      <div>
        <Button type="submit" variant="default" loading={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}

type Props = {
  label: string;
  autoComplete: string;
  hint?: string;
  error: string | undefined;
  value: string;
  onChange: (v: string) => void;
};

function Password({ autoComplete, value, onChange, ...field }: Props) {
  return (
    <Field {...field}>
      {(id) => (
        <Input
          id={id}
          type="password"
          autoComplete={autoComplete}
          value={value}
          onChange={(e) => onChange(e.currentTarget.value)}
        />
      )}
    </Field>
  );
}
