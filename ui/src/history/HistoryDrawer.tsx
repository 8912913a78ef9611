import { IconKey, IconRestore } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { history, type Thing } from "../api/history";
import type { Version } from "../api/ui.gen";
import { Button } from "../components/Button";
import { Select } from "../components/fields";
import { DrawerPage } from "../components/overlays";
import { ErrorCard, FormError } from "../components/problems";
import { SkeletonRows } from "../components/Skeleton";
import { who } from "../lib/audit";
import { clock, count, exact, moment } from "../lib/format";
import { useSession } from "../shell/useSession";
import { summary } from "./compare";
import { Differences } from "./Differences";
import classes from "./History.module.css";
import { useNames } from "./useNames";
import { useRestore } from "./useRestore";

type Props = { thing: Thing; name: string; close: () => void };

/** Every save, the newest first; one opens to what it changed, and can be restored. */
export default function HistoryDrawer({ thing, name, close }: Props) {
  const { data, error, refetch, fetchNextPage, hasNextPage } = useInfiniteQuery({
    ...history.list(thing),
    staleTime: 0,
  });
  const [open, setOpen] = useState<number>();
  const versions = data?.pages.flatMap((p) => p.versions) ?? [];
  const last = data?.pages.at(-1);
  const all = last?.earlier ? [...versions, last.earlier] : versions;
  const kept = last?.kept ?? 0;
  return (
    <DrawerPage opened onClose={close} above={name || "Untitled"} title="History" size={640}>
      {error && <ErrorCard error={error} retry={() => void refetch()} what="the history" />}
      {!data && !error && <SkeletonRows rows={6} />}
      {versions.length === 1 && all.length === 1 && <p className="t2">Nothing was changed since it was made.</p>}
      <ol className={classes.versions}>
        {versions.map((v, i) => (
          <Entry
            key={v.number}
            thing={thing}
            version={v}
            before={all[i + 1]}
            all={all}
            isOpen={open === v.number}
            toggle={() => setOpen(open === v.number ? undefined : v.number)}
          />
        ))}
      </ol>
      {hasNextPage && (
        <Button variant="default" size="xs" onClick={() => void fetchNextPage()}>
          Older
        </Button>
      )}
      {data && (
        <p className={`${classes.foot} t3`}>
          {`Restoring makes a new version at the top; nothing in this list is lost.${kept ? ` The latest ${count(kept, "version")} are kept.` : ""}`}
        </p>
      )}
    </DrawerPage>
  );
}

type EntryProps = {
  thing: Thing;
  version: Version;
  before: Version | undefined;
  all: Version[];
  isOpen: boolean;
  toggle: () => void;
};

function Entry({ thing, version: v, before, all, isOpen, toggle }: EntryProps) {
  const names = useNames(thing.kind === "alert");
  return (
    <li className={classes.version} data-open={isOpen || undefined}>
      <button type="button" className={classes.entry} aria-expanded={isOpen} onClick={toggle}>
        <span className={classes.number}>{v.number}</span>
        <span className={classes.said}>
          <span>{summary(thing.kind, v, before, names)}</span>
          <span className="t3">
            {v.actor.startsWith("token:") && <IconKey size={13} stroke={1.6} aria-hidden />}
            {v.actor ? who(v.actor) : "unknown"}
          </span>
        </span>
        <span className="num t3" data-tip={exact(v.at)}>
          {moment(v.at)}
        </span>
      </button>
      {isOpen && <Opened thing={thing} version={v} before={before} all={all} />}
    </li>
  );
}

function Opened({ thing, version: v, before, all }: Omit<EntryProps, "isOpen" | "toggle">) {
  // The first has none before it: what became of it since is the latest.
  const [other, setOther] = useState((before ?? all.find((x) => x.number !== v.number))?.number);
  const against = useQuery({ ...history.version(thing, other ?? 0), enabled: other !== undefined });
  const found = all.find((x) => x.number === other) ?? against.data;
  const later = other !== undefined && other > v.number;
  const labels: [string, string] = later
    ? [`Version ${v.number}`, `Version ${other}`]
    : ["Before", `Version ${v.number}`];
  return (
    <div className={classes.opened}>
      {all.length > 1 && (
        <div className={classes.against}>
          <span aria-hidden>Compared with</span>
          <Select
            aria-label="Compared with"
            value={String(other ?? "")}
            onChange={(n) => setOther(Number(n))}
            options={all
              .filter((x) => x.number !== v.number)
              .map((x) => ({
                value: String(x.number),
                label: `version ${x.number}, ${moment(x.at)}${x.number === before?.number ? " (the one before)" : ""}`,
              }))}
          />
        </div>
      )}
      {found && (
        <Differences
          kind={thing.kind}
          before={later ? v.document : found.document}
          after={later ? found.document : v.document}
          labels={labels}
          same="The two say the same."
        />
      )}
      <details className={classes.text}>
        <summary>As text</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it */}
        <pre tabIndex={0} role="region" aria-label={`Version ${v.number} as text`}>
          {JSON.stringify(v.document, null, 2)}
        </pre>
      </details>
      <Restore thing={thing} version={v} latest={all[0]?.number ?? v.number} />
    </div>
  );
}

function Restore({ thing, version: v, latest }: { thing: Thing; version: Version; latest: number }) {
  const { canEdit } = useSession();
  const { restore, busy, error } = useRestore(thing);
  if (!canEdit || v.number === latest) return null;
  const said = `Restored version ${v.number} of ${clock(v.at)}.`;
  return (
    <>
      <FormError error={error} />
      <p className={classes.actions}>
        <Button
          leftSection={<IconRestore size={15} stroke={1.6} />}
          loading={busy}
          onClick={() => void restore({ number: v.number, latest, said })}
        >
          Restore this version
        </Button>
      </p>
    </>
  );
}
