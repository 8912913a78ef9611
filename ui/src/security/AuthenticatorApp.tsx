import { IconCircleCheck, IconCircleDot } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { wrongFields } from "../api/required";
import { useChange } from "../api/resource";
import { security } from "../api/security";
import type { NewTOTP } from "../api/ui.gen";
import { Button } from "../components/Button";
import { useConfirm } from "../components/confirm";
import { FormError, fieldError } from "../components/problems";
import { day } from "../lib/format";
import { path, qr } from "../lib/qr";
import { toast } from "../toasts/toast";
import { CodeField } from "./CodeField";
import classes from "./Security.module.css";

type Props = { on: boolean; since: number; last: boolean; onCodes: (codes: string[]) => void };

/** An app that shows a code of six digits: scanned, then confirmed by one of them. */
export function AuthenticatorApp({ on, since, last, onCodes }: Props) {
  const begin = useChange(["proof"], (_: undefined) => security.beginApp());
  return (
    <section className={classes.card} aria-labelledby="app">
      <div className={classes.head}>
        {on ? (
          <IconCircleCheck size={17} stroke={1.6} className={classes.done} />
        ) : (
          <IconCircleDot size={17} stroke={1.6} className={classes.open} />
        )}
        <h3 id="app">2. Authenticator app</h3>
        {on ? <span className={classes.pill}>Set up</span> : <span className="t3">if a passkey is not at hand</span>}
      </div>
      <div className={classes.body}>
        {on && <On since={since} last={last} />}
        {!on && begin.data && <Confirm begun={begin.data} onCodes={onCodes} />}
        {!on && !begin.data && (
          <>
            <p className="t2">An app on your phone shows a code of six digits, a new one every 30 seconds.</p>
            <div>
              <Button variant="default" size="xs" loading={begin.isPending} onClick={() => begin.mutate(undefined)}>
                Set up an app
              </Button>
            </div>
            <FormError error={begin.error} />
          </>
        )}
      </div>
    </section>
  );
}

/** A code that is not whole is no try. */
const sixDigits = async (code: string) => {
  if (code.length !== 6) throw wrongFields({ code: "Type the six digits that your app shows." });
  return security.confirmApp(code);
};

function Confirm({ begun, onCodes }: { begun: NewTOTP; onCodes: (codes: string[]) => void }) {
  const [code, setCode] = useState("");
  const cells = useMemo(() => qr(begun.uri), [begun.uri]);
  const confirm = useChange(["security"], sixDigits);
  const turnOn = () =>
    confirm.mutate(code, {
      onSuccess: ({ codes }) => {
        toast("Your authenticator app is set up.");
        if (codes.length > 0) onCodes(codes);
      },
      onError: () => setCode(""),
    });
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(e) => {
        e.preventDefault();
        turnOn();
      }}
    >
      <div className={classes.scan}>
        {cells && (
          <svg className={classes.qr} viewBox={`0 0 ${cells.length} ${cells.length}`} role="img" aria-label="QR code">
            <path d={path(cells)} fill="currentColor" shapeRendering="crispEdges" />
          </svg>
        )}
        <div className={classes.type}>
          <p className="t2">Scan this with your app, then type the six digits it shows.</p>
          <p className="t3">No camera? Type this key:</p>
          <code className={`mono ${classes.key}`}>{begun.secret.replace(/(.{4})(?=.)/g, "$1 ")}</code>
        </div>
      </div>
      <div className={classes.confirm}>
        <CodeField
          label="Code"
          hint="A new one comes every 30 seconds."
          value={code}
          onChange={setCode}
          error={code === "" ? fieldError(confirm.error, "code") : undefined}
        />
        <Button type="submit" loading={confirm.isPending}>
          Turn on
        </Button>
      </div>
      <FormError error={confirm.error} fields={["code"]} />
    </form>
  );
}

function On({ since, last }: { since: number; last: boolean }) {
  const remove = useChange(["security"], (_: undefined) => security.removeApp());
  const confirm = useConfirm();
  const ask = () =>
    confirm({
      title: "Remove the authenticator app?",
      text: last ? "Without it you sign in with the password only." : "Its codes do not sign you in any longer.",
      action: "Remove app",
      danger: true,
      act: () => remove.mutateAsync(undefined),
    });
  return (
    <div className={classes.confirm}>
      <p className="t2">{`Since ${day(since)}. To move to another phone, remove it and set it up again.`}</p>
      <Button variant="default" size="xs" onClick={ask}>
        Remove…
      </Button>
    </div>
  );
}
