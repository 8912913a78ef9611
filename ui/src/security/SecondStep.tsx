import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { needs } from "../api/required";
import { step } from "../api/security";
import type { SecondStep as Asked, SteppedIn } from "../api/ui.gen";
import { Button } from "../components/Button";
import { Field, Input } from "../components/fields";
import { ErrorCard, FormError, fieldError } from "../components/problems";
import { count } from "../lib/format";
import { passkeysWork } from "../lib/webauthn";
import { CodeField } from "./CodeField";
import { PasskeyButton } from "./PasskeyButton";
import classes from "./Security.module.css";

type Props = { onDone: (session: SteppedIn) => void; onLost: () => void };

/** The second step of signing in: with a passkey, a code of an app, or a recovery code. */
export function SecondStep({ onDone, onLost }: Props) {
  const { data, error } = useQuery(step.asked);
  if (error)
    return (
      <>
        <ErrorCard error={error} what="the second step" />
        <button type="button" className={classes.link} onClick={onLost}>
          Sign in again
        </button>
      </>
    );
  if (!data) return null;
  return <Ways asked={data} onDone={onDone} onLost={onLost} />;
}

function Ways({ asked, onDone, onLost }: Props & { asked: Asked }) {
  const [way, setWay] = useState<"usual" | "recovery" | "none">("usual");
  const passkey = asked.passkeys.length > 0 && passkeysWork();
  return (
    <>
      <p className="t2" style={{ margin: 0 }}>
        Signing in as <b>{asked.email}</b>.{" "}
        <button type="button" className={classes.link} onClick={onLost}>
          Not you?
        </button>
      </p>
      {way === "usual" && passkey && <WithPasskey names={asked.passkeys} onDone={onDone} />}
      {way === "usual" && asked.totp && <WithCode onDone={onDone} first={!passkey} />}
      {way === "usual" && !passkey && !asked.totp && (
        <p className="t2">Your passkeys do not work in this browser, or not at this address.</p>
      )}
      {way === "recovery" && <WithRecovery onDone={onDone} />}
      {way === "none" && (
        <p className="t2" style={{ margin: 0 }}>
          The operator of this server can reset your second factor:{" "}
          <span className="mono">tidemark user reset-second-factor {asked.email}</span>. Ask an Admin of your
          organization who that is.
        </p>
      )}
      {way !== "usual" && (
        <button type="button" className={classes.link} onClick={() => setWay("usual")}>
          Back
        </button>
      )}
      {way !== "recovery" && asked.codes && (
        <button type="button" className={classes.link} onClick={() => setWay("recovery")}>
          Use a recovery code
        </button>
      )}
      {way !== "none" && (
        <button type="button" className={classes.link} onClick={() => setWay("none")}>
          I have none of these
        </button>
      )}
    </>
  );
}

const listed = new Intl.ListFormat("en", { type: "disjunction" });

/** The browser asks by itself, once; later the button does. */
function WithPasskey({ names, onDone }: { names: string[]; onDone: Props["onDone"] }) {
  const enter = useMutation({ mutationFn: (_: undefined) => step.withPasskey(), onSuccess: onDone });
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    enter.mutate(undefined);
  }, [enter.mutate]);
  return (
    <div className={classes.form}>
      <PasskeyButton label="Use a passkey" loading={enter.isPending} onClick={() => enter.mutate(undefined)} />
      <span className="t3" style={{ textAlign: "center", fontSize: 12 }}>
        {listed.format(names)}
      </span>
      <FormError error={enter.error} />
    </div>
  );
}

function WithCode({ onDone, first }: { onDone: Props["onDone"]; first: boolean }) {
  const [code, setCode] = useState("");
  const enter = useMutation({ mutationFn: step.withCode, onSuccess: onDone, onError: () => setCode("") });
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(e) => {
        e.preventDefault();
        enter.mutate(code);
      }}
    >
      <CodeField
        wide
        label="Code from your authenticator app"
        value={code}
        onChange={setCode}
        onFull={(full) => enter.mutate(full)}
        autoFocus={first}
        hint="It signs you in with the sixth digit."
        error={code === "" && enter.error ? enter.error.message : undefined}
      />
    </form>
  );
}

function WithRecovery({ onDone }: { onDone: Props["onDone"] }) {
  const [code, setCode] = useState("");
  const enter = useMutation({ mutationFn: needs(["code"], (body: { code: string }) => step.withCode(body.code)) });
  if (enter.data)
    return (
      <div className={classes.form}>
        <p className="t2" style={{ margin: 0 }} role="status">
          {`${count(enter.data.codes_left ?? 0, "code is", "codes are")} left. Make new ones under Settings, Security.`}
        </p>
        <Button onClick={() => enter.data && onDone(enter.data)}>Go on</Button>
      </div>
    );
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(e) => {
        e.preventDefault();
        enter.mutate({ code });
      }}
    >
      <Field label="Recovery code" hint="Each works once." error={fieldError(enter.error, "code")}>
        {(id) => <Input id={id} mono autoFocus value={code} onChange={(e) => setCode(e.currentTarget.value)} />}
      </Field>
      <FormError error={enter.error} fields={["code"]} />
      <Button type="submit" loading={enter.isPending}>
        Sign in
      </Button>
    </form>
  );
}
