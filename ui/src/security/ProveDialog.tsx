import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { withQuery } from "../api/client";
import { needs } from "../api/required";
import { proof } from "../api/security";
import type { Proofs } from "../api/ui.gen";
import { Button } from "../components/Button";
import { Field, Input } from "../components/fields";
import { Modal } from "../components/overlays";
import { ErrorCard, FormError, fieldError } from "../components/problems";
import { withoutPrefix, withPrefix } from "../lib/prefix";
import { passkeysWork } from "../lib/webauthn";
import { CodeField } from "./CodeField";
import { PasskeyButton } from "./PasskeyButton";
import classes from "./Security.module.css";

type Props = { onDone: () => void; onClose: () => void };

/** The dialog of ProveAgain. */
export default function ProveDialog({ onDone, onClose }: Props) {
  const { data, error, refetch } = useQuery(proof.asked);
  return (
    <Modal opened onClose={onClose} title="Prove that it is you" size={400} front>
      <div className={classes.form}>
        <p className="t2" style={{ margin: 0 }}>
          This needs a proof that is not older than 10 minutes. What you were doing goes on afterwards.
        </p>
        {error && <ErrorCard error={error} retry={refetch} what="the question" />}
        {data && <Ways asked={data} onDone={onDone} />}
      </div>
    </Modal>
  );
}

function Ways({ asked, onDone }: { asked: Proofs; onDone: () => void }) {
  const passkey = asked.passkeys.length > 0 && passkeysWork();
  return (
    <>
      {passkey && <WithPasskey onDone={onDone} />}
      {asked.totp && <WithCode onDone={onDone} first={!passkey} />}
      {asked.password && <WithPassword onDone={onDone} first={!passkey && !asked.totp} />}
      {!passkey && !asked.totp && !asked.password && asked.oidc && (
        <a
          href={withPrefix(withQuery("/ui/api/oidc/start", { next: withoutPrefix(window.location.pathname) }))}
          className={classes.link}
        >
          {`${asked.oidc.title} once more`}
        </a>
      )}
      {!passkey && !asked.totp && !asked.password && !asked.oidc && (
        <p className="t2">There is nothing to prove it with here. Sign out and in again.</p>
      )}
    </>
  );
}

function WithPasskey({ onDone }: { onDone: () => void }) {
  const prove = useMutation({ mutationFn: (_: undefined) => proof.withPasskey(), onSuccess: onDone });
  return (
    <>
      <PasskeyButton label="Use a passkey" loading={prove.isPending} onClick={() => prove.mutate(undefined)} />
      <FormError error={prove.error} />
    </>
  );
}

const Form = ({ run, children }: { run: () => void; children: ReactNode }) => (
  <form
    noValidate
    className={classes.form}
    onSubmit={(e) => {
      e.preventDefault();
      run();
    }}
  >
    {children}
  </form>
);

function WithCode({ onDone, first }: { onDone: () => void; first: boolean }) {
  const [code, setCode] = useState("");
  const prove = useMutation({
    mutationFn: (c: string) => proof.prove({ code: c }),
    onSuccess: onDone,
    onError: () => setCode(""),
  });
  return (
    <Form run={() => prove.mutate(code)}>
      <CodeField
        wide
        label="Code from your authenticator app"
        hint="It goes on with the sixth digit."
        value={code}
        onChange={setCode}
        onFull={(full) => prove.mutate(full)}
        autoFocus={first}
        error={code === "" ? (fieldError(prove.error, "code") ?? prove.error?.message) : undefined}
      />
    </Form>
  );
}

function WithPassword({ onDone, first }: { onDone: () => void; first: boolean }) {
  const [password, setPassword] = useState("");
  const prove = useMutation({ mutationFn: () => needs(["password"], proof.prove)({ password }), onSuccess: onDone });
  return (
    <Form run={() => prove.mutate()}>
      <Field label="Password" error={fieldError(prove.error, "password")}>
        {(id) => (
          <Input
            id={id}
            type="password"
            autoComplete="current-password"
            autoFocus={first}
            value={password}
            onChange={(e) => setPassword(e.currentTarget.value)}
          />
        )}
      </Field>
      <FormError error={prove.error} fields={["password"]} />
      <Button type="submit" variant={first ? "filled" : "default"} loading={prove.isPending}>
        Confirm
      </Button>
    </Form>
  );
}
