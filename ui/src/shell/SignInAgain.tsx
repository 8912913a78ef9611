import { Button, PasswordInput, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/PasswordInput.layer.css";
import { useEffect, useRef, useState } from "react";
import { ApiError, onSessionLost } from "../api/client";
import { signIn } from "../api/session";
import { Modal } from "../components/overlays";
import { FormError } from "../components/parts";
import { useSession } from "./useSession";

/** When the session ends while a page is open: sign in over it, then go on where it stopped. */
export function SignInAgain() {
  const { user } = useSession();
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState("");
  const [error, setError] = useState<unknown>();
  const waiting = useRef<{ resolve: () => void; reject: (e: Error) => void }[]>([]);
  useEffect(() => {
    onSessionLost(
      () =>
        new Promise((resolve, reject) => {
          waiting.current.push({ resolve, reject });
          setOpen(true);
        }),
    );
    return () => onSessionLost(undefined);
  }, []);
  const finish = (act: (w: { resolve: () => void; reject: (e: Error) => void }) => void) => {
    for (const w of waiting.current.splice(0)) act(w);
    setOpen(false);
    setPassword("");
    setError(undefined);
  };
  return (
    <Modal
      opened={open}
      onClose={() => finish((w) => w.reject(new ApiError(401, "You are signed out.")))}
      title="Sign in again"
      size={380}
    >
      <form
        style={{ display: "flex", flexDirection: "column", gap: 14 }}
        onSubmit={async (e) => {
          e.preventDefault();
          try {
            await signIn({ email: user.email, password });
            finish((w) => w.resolve());
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
