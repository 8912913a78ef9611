import { useState } from "react";
import { ApiError } from "../api/client";
import { needs } from "../api/required";
import { signIn } from "../api/session";
import { Button } from "../components/Button";
import { Field, Input } from "../components/fields";
import { Modal } from "../components/overlays";
import { FormError, fieldError } from "../components/problems";
import { SecondStep } from "../security/SecondStep";
import { useSession } from "./useSession";

/** The dialog of SignInAgain. */
export default function SignInForm({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { user } = useSession();
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [second, setSecond] = useState(false);
  const enter = async () => {
    setBusy(true);
    try {
      await needs(["password"], signIn)({ email: user.email, password });
      onDone();
    } catch (err) {
      const more = err instanceof ApiError && err.code === "second_step";
      setSecond(more);
      setError(more ? undefined : err);
      setBusy(false);
    }
  };
  if (second)
    return (
      <Modal opened onClose={onClose} title="One more step" size={380} front>
        <div style={{ display: "flex", flexDirection: "column", gap: 14 }}>
          <SecondStep onDone={onDone} onLost={() => setSecond(false)} />
        </div>
      </Modal>
    );
  return (
    <Modal opened onClose={onClose} title="Sign in again" size={380} front>
      <form
        noValidate
        style={{ display: "flex", flexDirection: "column", gap: 14 }}
        onSubmit={(e) => {
          e.preventDefault();
          void enter();
        }}
      >
        <p className="t2">Your session has ended. What you were doing goes on afterwards.</p>
        <Field label="E-mail">{(id) => <Input id={id} value={user.email} readOnly autoComplete="username" />}</Field>
        <Field label="Password" error={fieldError(error, "password")}>
          {(id) => (
            <Input
              id={id}
              type="password"
              value={password}
              onChange={(e) => setPassword(e.currentTarget.value)}
              autoComplete="current-password"
              data-autofocus
            />
          )}
        </Field>
        <FormError error={error} fields={["password"]} />
        <Button type="submit" loading={busy}>
          Sign in
        </Button>
      </form>
    </Modal>
  );
}
