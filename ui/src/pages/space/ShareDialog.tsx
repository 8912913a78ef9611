import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { playlists } from "../../api/playlists";
import { needs } from "../../api/required";
import { shares } from "../../api/spaces";
import type { NewShare, Share, ShareBody } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { Field, Input, Select } from "../../components/fields";
import { Modal } from "../../components/overlays";
import { FormError, fieldError } from "../../components/problems";
import { RelativeTime } from "../../components/RelativeTime";
import classes from "../../dialogs/Dialogs.module.css";
import { type Filter, tagsOf } from "../../lib/filters";
import { day } from "../../lib/format";
import { toast } from "../../toasts/toast";

const expiries = [
  { label: "1 day", value: "86400" },
  { label: "7 days", value: String(7 * 86400) },
  { label: "30 days", value: String(30 * 86400) },
  { label: "1 year", value: String(365 * 86400) },
];

type Thing = { id: number; name: string };

/** Links that show this space, and nothing else, to everyone who has them. */
export function ShareDialog({ space, ...rest }: { space: Thing; filters: Filter[]; close: () => void }) {
  const links = shares.of(space.id);
  const { data } = useQuery(links);
  return (
    <Links
      {...rest}
      name={space.name}
      what="this space"
      made={data?.shares ?? []}
      queryKey={links.queryKey}
      make={(body) => shares.create(space.id, body)}
    />
  );
}

/** Links that play this playlist to everyone who has them. */
export function SharePlaylist({ playlist, close }: { playlist: Thing; close: () => void }) {
  const links = playlists.shares(playlist.id);
  const { data } = useQuery(links);
  return (
    <Links
      name={playlist.name}
      what="the spaces of this playlist"
      made={data?.shares ?? []}
      queryKey={links.queryKey}
      make={(body) => playlists.share(playlist.id, body)}
      close={close}
    />
  );
}

type Props = {
  name: string;
  what: string;
  /** The links there are, and where they are kept. */
  made: Share[];
  queryKey: readonly unknown[];
  make: (body: ShareBody) => Promise<NewShare>;
  /** Those that can be locked; playlists have their own. */
  filters?: Filter[];
  close: () => void;
};

function Links({ name: of, what, made: all, queryKey, make, filters, close }: Props) {
  const client = useQueryClient();
  const [wall, setWall] = useState(false);
  const [name, setName] = useState("");
  const [expires, setExpires] = useState(30 * 86400);
  const [lock, setLock] = useState(false);
  const [made, setMade] = useState<NewShare>();
  const [error, setError] = useState<unknown>();
  const reload = () => client.invalidateQueries({ queryKey });
  const create = async () => {
    try {
      const locked = lock ? tagsOf(filters ?? []) : null;
      setMade(await needs(["name"], make)({ name: name.trim(), expires_in: expires, locked_tags: locked }));
      setName("");
      setError(undefined);
      await reload();
    } catch (err) {
      setError(err);
    }
  };
  const revoke = async (s: Share) => {
    await shares.revoke(s.id);
    setMade((fresh) => (fresh?.id === s.id ? undefined : fresh));
    toast(`The link “${s.name}” no longer opens.`);
    await reload();
  };
  return (
    <Modal opened onClose={close} title={`Share “${of}”`} size={540}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(e) => {
          e.preventDefault();
          void create();
        }}
      >
        <p className="t2">{`Anyone with the link can look at ${what}, and nothing else, until ${day(Date.now() / 1000 + expires)}.`}</p>
        <div className={classes.two}>
          <Field label="Name" hint="To tell your links apart." error={fieldError(error, "name")}>
            {(id) => (
              <Input
                id={id}
                placeholder="Office wall"
                value={name}
                onChange={(e) => setName(e.currentTarget.value)}
                data-autofocus
              />
            )}
          </Field>
          <Field label="Expires after" hint="You can revoke it before.">
            {(id) => (
              <Select
                id={id}
                options={expiries}
                value={String(expires)}
                onChange={(seconds) => setExpires(Number(seconds))}
              />
            )}
          </Field>
        </div>
        {filters && (
          <div>
            <label className={classes.check}>
              <input
                type="checkbox"
                checked={lock}
                disabled={filters.length === 0}
                onChange={(e) => setLock(e.currentTarget.checked)}
              />
              Lock the tag filter
            </label>
            <label className={classes.check}>
              <input type="checkbox" checked={wall} onChange={(e) => setWall(e.currentTarget.checked)} />
              Open as a wall display
            </label>
          </div>
        )}
        <FormError error={error} fields={["name"]} />
        <div className={classes.actions}>
          <Button type="submit">Make link</Button>
        </div>
      </form>
      {made && <Fresh url={wall ? `${made.url}/wall` : made.url} />}
      {all.map((s) => (
        <div key={s.id} className={classes.share}>
          <div>
            <b>{s.name}</b>
            <div className="t3">
              {s.last_opened_at ? (
                <>
                  opened <RelativeTime at={s.last_opened_at} />
                </>
              ) : (
                "never opened"
              )}
              {s.locked_tags && ", filter locked"}
            </div>
          </div>
          <span className="t2">{`until ${day(s.expires_at)}`}</span>
          <Button variant="default" size="xs" onClick={() => void revoke(s)}>
            Revoke
          </Button>
        </div>
      ))}
    </Modal>
  );
}

function Fresh({ url }: { url: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(url);
    setCopied(true);
    window.setTimeout(() => setCopied(false), 2000);
  };
  return (
    <div className={classes.form} role="status">
      <p>Copy the link now. It is shown this once.</p>
      <div className={classes.url} style={{ marginBottom: 14 }}>
        <input
          className="mono"
          readOnly
          value={url}
          aria-label="Share link"
          onFocus={(e) => e.currentTarget.select()}
        />
        <Button variant="default" onClick={() => void copy()}>
          {copied ? "Copied" : "Copy link"}
        </Button>
      </div>
    </div>
  );
}
