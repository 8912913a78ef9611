import { useMutation } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { needs, wrongFields } from "../../api/required";
import { signin } from "../../api/signin";
import { Button, LinkButton } from "../../components/Button";
import { Field, Input } from "../../components/fields";
import { FormError, fieldError } from "../../components/problems";
import { Door } from "./Door";

/** The server answers always alike, so that nobody learns who is here: what is no address is said before. */
async function askFor({ email }: { email: string }): Promise<void> {
  if (!email.includes("@")) throw wrongFields({ email: "is not an e-mail address" });
  await signin.askReset(email);
}

/** Asks for a mail with a link to choose a new password. */
export function ForgotPage() {
  const [email, setEmail] = useState("");
  const ask = useMutation({ mutationFn: needs(["email"], askFor) });
  if (ask.isSuccess)
    return (
      <Door
        title="Look into your mail"
        lead={`If ${email} belongs to somebody here, a link is on its way. It works for a day.`}
      >
        <Link to="/signin">Back to sign in</Link>
      </Door>
    );
  return (
    <Door title="Choose a new password" lead="We send you a link.">
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault();
          ask.mutate({ email });
        }}
      >
        <Field label="E-mail" error={fieldError(ask.error, "email")}>
          {(id) => (
            <Input id={id} type="email" autoFocus value={email} onChange={(e) => setEmail(e.currentTarget.value)} />
          )}
        </Field>
        <FormError error={ask.error} fields={["email"]} />
        <Button type="submit" loading={ask.isPending}>
          Send the link
        </Button>
      </form>
    </Door>
  );
}

/** The page behind that link. */
export function ResetPage() {
  const { key } = useParams({ from: "/reset/$key" });
  const [password, setPassword] = useState("");
  const reset = useMutation({ mutationFn: signin.reset });
  if (reset.isSuccess)
    return (
      <Door title="Your password is set" lead="Sign in with it now.">
        <LinkButton to="/signin">Sign in</LinkButton>
      </Door>
    );
  return (
    <Door title="Choose your password">
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault();
          reset.mutate({ key, password });
        }}
      >
        <Field label="Password" hint="At least 10 characters." error={fieldError(reset.error, "password")}>
          {(id) => (
            <Input
              id={id}
              type="password"
              autoComplete="new-password"
              autoFocus
              value={password}
              onChange={(e) => setPassword(e.currentTarget.value)}
            />
          )}
        </Field>
        <FormError error={reset.error} fields={["password"]} />
        <Button type="submit" loading={reset.isPending}>
          Set password
        </Button>
      </form>
    </Door>
  );
}
