import { PasswordInput, TextInput } from "@mantine/core";
import { Button } from "../components/Button";
import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/PasswordInput.layer.css";
import "@mantine/core/styles/ActionIcon.layer.css";
import { useState } from "react";
import { signIn } from "../api/session";
import { Modal } from "../components/overlays";
import { FormError } from "../components/parts";
import { useSession } from "./useSession";

/** The dialog of SignInAgain. */
export default function SignInForm({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { user } = useSession();
  const [password, setPassword] = useState("");
  const [error, setError] = useState<unknown>();
  return (
    <Modal opened onClose={onClose} title="Sign in again" size={380}>
      <form
        style={{ display: "flex", flexDirection: "column", gap: 14 }}
        onSubmit={async (e) => {
          e.preventDefault();
          try {
            await signIn({ email: user.email, password });
            onDone();
          } catch (err) {
            setError(err);
          }
        }}
      >
        <p className="t2">Your session has ended. What you were doing goes on afterwards.</p>
        <TextInput label="E-mail" value={user.email} readOnly autoComplete="username" />
        <PasswordInput
          label="Password"
          value={password}
          onChange={(e) => setPassword(e.currentTarget.value)}
          autoComplete="current-password"
          data-autofocus
        />
        <FormError error={error} />
        <Button type="submit">Sign in</Button>
      </form>
    </Modal>
  );
}
