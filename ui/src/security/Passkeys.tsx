import { IconCircleCheck, IconCircleDot, IconDots, IconFingerprint, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useChange } from "../api/resource";
import { security } from "../api/security";
import type { Passkey } from "../api/ui.gen";
import { Button } from "../components/Button";
import { useConfirm } from "../components/confirm";
import { IconButton } from "../components/controls";
import { Menu } from "../components/Menu";
import { FormError } from "../components/problems";
import { RelativeTime } from "../components/RelativeTime";
import { day } from "../lib/format";
import { passkeysWork } from "../lib/webauthn";
import { toast } from "../toasts/toast";
import { NamePasskey } from "./NamePasskey";
import classes from "./Security.module.css";

type Props = { passkeys: Passkey[]; last: boolean; onCodes: (codes: string[]) => void };

/** The passkeys of a person: made, named, removed. */
export function Passkeys({ passkeys, last, onCodes }: Props) {
  const [made, setMade] = useState<{ key: string; credential: string }>();
  const [renaming, setRenaming] = useState<Passkey>();
  const make = useChange(["security"], (_: undefined) => security.makePasskey());
  const has = passkeys.length > 0;
  return (
    <section className={classes.card} aria-labelledby="passkeys">
      <div className={classes.head}>
        {has ? (
          <IconCircleCheck size={17} stroke={1.6} className={classes.done} />
        ) : (
          <IconCircleDot size={17} stroke={1.6} className={classes.open} />
        )}
        <h3 id="passkeys">1. Passkey</h3>
        {has && <span className={classes.pill}>Set up</span>}
      </div>
      <div className={classes.body}>
        <p className="t2">
          Sign in with a fingerprint, your face or a security key. Nothing to type, nothing that can be stolen.
        </p>
      </div>
      {passkeys.map((p) => (
        <Row key={p.id} passkey={p} last={last && passkeys.length === 1} rename={() => setRenaming(p)} />
      ))}
      <div className={classes.foot}>
        {passkeysWork() ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={15} stroke={1.6} />}
            loading={make.isPending}
            onClick={() => make.mutate(undefined, { onSuccess: setMade })}
          >
            Add a passkey
          </Button>
        ) : (
          <p className="t3" style={{ margin: 0 }}>
            Passkeys need a page over https, at a name instead of an address of numbers.
          </p>
        )}
        <FormError error={make.error} />
      </div>
      {made && (
        <NamePasskey
          title="Name this passkey"
          action="Save passkey"
          save={(name) => security.addPasskey({ ...made, name })}
          done={(answer) => answer && answer.codes.length > 0 && onCodes(answer.codes)}
          close={() => setMade(undefined)}
        />
      )}
      {renaming && (
        <NamePasskey
          title="Rename passkey"
          action="Rename"
          initial={renaming.name}
          save={(name) => security.renamePasskey({ id: renaming.id, name })}
          close={() => setRenaming(undefined)}
        />
      )}
    </section>
  );
}

function Row({ passkey: p, last, rename }: { passkey: Passkey; last: boolean; rename: () => void }) {
  const remove = useChange(["security"], security.removePasskey);
  const confirm = useConfirm();
  const ask = () =>
    confirm({
      title: `Remove ${p.name}?`,
      text: last ? "Without it you sign in with the password only." : "It does not sign you in any longer.",
      action: "Remove passkey",
      danger: true,
      act: async () => {
        await remove.mutateAsync(p.id);
        toast(`${p.name} is removed.`);
      },
    });
  return (
    <div className={classes.passkey}>
      <IconFingerprint size={19} stroke={1.6} aria-hidden="true" />
      <div>
        <b>{p.name}</b>
        <small>
          {`made ${day(p.created_at)}, `}
          {p.used_at ? (
            <>
              used <RelativeTime at={p.used_at} />
            </>
          ) : (
            "never used"
          )}
        </small>
      </div>
      <Menu
        label={`Actions of ${p.name}`}
        items={[
          { label: "Rename…", run: rename },
          { label: "Remove…", run: ask, danger: true },
        ]}
        target={(t) => (
          <IconButton label={`More about ${p.name}`} {...t} ref={t.ref}>
            <IconDots size={17} stroke={1.6} />
          </IconButton>
        )}
      />
    </div>
  );
}
