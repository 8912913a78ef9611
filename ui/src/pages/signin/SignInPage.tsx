import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError, withQuery } from "../../api/client";
import { needs } from "../../api/required";
import { step } from "../../api/security";
import { signIn } from "../../api/session";
import { signin } from "../../api/signin";
import { AnchorButton, Button } from "../../components/Button";
import { Field, Input } from "../../components/fields";
import { FormError, fieldError } from "../../components/problems";
import { ownPath } from "../../lib/link";
import { replaceWith, withPrefix } from "../../lib/prefix";
import { passkeysWork } from "../../lib/webauthn";
import { PasskeyButton } from "../../security/PasskeyButton";
import { Door } from "./Door";
import classes from "./Door.module.css";

/** Why somebody who came back from the sign-in service is not let in. */
const reasons: Record<string, string> = {
  email: "The sign-in service gives no verified e-mail address for you.",
  account: "Your account at the issuer is not allowed here. Ask an Admin.",
  group: "None of your groups may use Tidemark. Ask an Admin.",
  refused: "The sign-in service did not confirm who you are.",
  again: "That took too long, or was opened twice. Try again.",
  wait: "Too many tries. Wait 2 minutes.",
  away: "The sign-in service does not answer. Try again later.",
};

export function SignInPage() {
  const { next, error } = useSearch({ from: "/signin" });
  const { data } = useQuery(signin.options);
  if (data?.needs_setup)
    return (
      <Door
        title="This server has no owner yet"
        lead="It printed a one-time link when it started. Open that link to choose your password."
      >
        <p className="t2">The link is gone? Restart the server: it prints a new one until somebody has used it.</p>
      </Door>
    );
  return (
    <Door title="Sign in to Tidemark">
      {error && <FormError error={reasons[error] ?? reasons.refused} />}
      {data?.oidc && (
        <>
          <AnchorButton href={withPrefix(withQuery("/ui/api/oidc/start", { next }))} variant="default" fullWidth>
            {data.oidc.title}
          </AnchorButton>
          {data.passwords && <span className={classes.or}>or</span>}
        </>
      )}
      {data?.passwords !== false && <SignInForm />}
      {data?.passwords && passkeysWork() && <PasskeyAlone />}
      {data?.passwords && !data.mail_reset && (
        <p className="t2">
          Forgot your password? Whoever runs this server can set a new one with{" "}
          <span className="mono">tidemark user passwd EMAIL</span>.
        </p>
      )}
      {data?.mail_reset && (
        <Link to="/reset" className="t2">
          Forgot your password?
        </Link>
      )}
    </Door>
  );
}

/** The passkey is all it takes: the device asks for the finger, the face or the PIN. */
function PasskeyAlone() {
  const { next } = useSearch({ from: "/signin" });
  const enter = useMutation({
    mutationFn: (_: undefined) => step.passkeyAlone(),
    onSuccess: () => replaceWith(ownPath(next)),
  });
  return (
    <>
      <PasskeyButton
        quiet
        label="Sign in with a passkey"
        loading={enter.isPending}
        onClick={() => enter.mutate(undefined)}
      />
      <FormError error={enter.error} />
    </>
  );
}

function SignInForm() {
  const { next } = useSearch({ from: "/signin" });
  const navigate = useNavigate();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const enter = useMutation({
    mutationFn: needs(["email", "password"], signIn),
    // A fresh page, which nothing of before is left on.
    onSuccess: () => replaceWith(ownPath(next)),
    onError: (err) => {
      if (err instanceof ApiError && err.code === "second_step")
        navigate({ to: "/signin/second", search: next ? { next } : {} });
    },
  });
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        enter.mutate({ email, password });
      }}
    >
      <Field label="E-mail" error={fieldError(enter.error, "email")}>
        {(id) => (
          <Input
            id={id}
            type="email"
            autoComplete="username"
            autoFocus
            value={email}
            onChange={(e) => setEmail(e.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Password" error={fieldError(enter.error, "password")}>
        {(id) => (
          <Input
            id={id}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(e) => setPassword(e.currentTarget.value)}
          />
        )}
      </Field>
      <FormError error={enter.error} fields={["email", "password"]} />
      <Button type="submit" fullWidth loading={enter.isPending}>
        Sign in
      </Button>
    </form>
  );
}
