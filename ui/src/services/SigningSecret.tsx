import { useState } from "react";
import { useChange } from "../api/resource";
import { services } from "../api/services";
import type { Signing } from "../api/ui.gen";
import { Button } from "../components/Button";
import { CopyButton } from "../components/CopyButton";
import { Select } from "../components/fields";
import { FormError } from "../components/problems";
import classes from "../components/settingsPages.module.css";
import table from "../components/table.module.css";
import { dayAndClock } from "../lib/format";
import { overlaps } from "../lib/overlaps";
import { withPrefix } from "../lib/prefix";
import own from "./Services.module.css";

/** What requests to a webhook are signed with: shown and replaced by Admins, after a proof. */
export function SigningSecret({ id }: { id: number }) {
  const [shown, setShown] = useState<Signing>();
  const [replacing, setReplacing] = useState(false);
  const show = useChange(["services", id, "signing"], (_: undefined) => services.signing(id));
  const done = (s: Signing) => {
    setShown(s);
    setReplacing(false);
  };
  return (
    <section className={`${table.panel} ${classes.list}`} style={{ marginTop: 20 }} aria-labelledby="signing">
      <div className={classes.item}>
        <div>
          <b id="signing">Signing secret</b>
          <small>
            Requests carry <span className="mono">Tidemark-Signature</span>, so that your receiver can tell who sent
            them. <a href={withPrefix("/docs/notifications#signatures")}>How to verify</a>
          </small>
        </div>
        {!shown && !replacing && (
          <Button
            variant="default"
            size="xs"
            loading={show.isPending}
            onClick={() => show.mutate(undefined, { onSuccess: done })}
          >
            Show
          </Button>
        )}
        {!replacing && (
          <Button variant="default" size="xs" onClick={() => setReplacing(true)}>
            Replace…
          </Button>
        )}
      </div>
      {shown && !replacing && <Shown signing={shown} />}
      {replacing && <Replace id={id} done={done} cancel={() => setReplacing(false)} />}
      <FormError error={show.error} />
    </section>
  );
}

function Shown({ signing }: { signing: Signing }) {
  return (
    <div className={own.signing}>
      <code className={`mono ${own.signingSecret}`}>{signing.secret}</code>
      <CopyButton text={signing.secret} label="Copy" />
      {signing.old_until > 0 && (
        <small className="t3">The one before signs as well until {dayAndClock(signing.old_until)}.</small>
      )}
    </div>
  );
}

function Replace({ id, done, cancel }: { id: number; done: (s: Signing) => void; cancel: () => void }) {
  const [overlap, setOverlap] = useState("86400");
  const rotate = useChange(["services", id, "signing"], (seconds: number) => services.rotateSigning(id, seconds));
  return (
    <div className={own.signing}>
      <span className="t2">
        The secret of now signs as well for{" "}
        <Select
          small
          aria-label="How long the secret of now signs as well"
          value={overlap}
          onChange={setOverlap}
          options={overlaps}
        />
      </span>
      {overlap === "0" && (
        <p className={classes.amber}>Receivers refuse every request until they have the new secret.</p>
      )}
      <FormError error={rotate.error} />
      <div className={own.signingActions}>
        <Button
          size="xs"
          loading={rotate.isPending}
          onClick={() => rotate.mutate(Number(overlap), { onSuccess: done })}
        >
          Make a new secret
        </Button>
        <Button variant="subtle" size="xs" onClick={cancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
