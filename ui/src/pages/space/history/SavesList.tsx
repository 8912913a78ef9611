import { IconKey } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Version } from "../../../api/ui.gen";
import { Button } from "../../../components/Button";
import { Panel } from "../../../components/Panel";
import { ErrorCard } from "../../../components/problems";
import { useNames } from "../../../history/useNames";
import { who } from "../../../lib/audit";
import { count, exact } from "../../../lib/format";
import classes from "./SavesList.module.css";
import { byDay, type Save, sentence, timeOf } from "./saves";
import type { Saves } from "./useSaves";

type Props = { space: number; saves: Saves; chosen: Save | undefined };

/** Every save by day, the newest first. */
export function SavesList({ space, saves, chosen }: Props) {
  const { query } = saves;
  return (
    <Panel className={classes.saves ?? ""} aria-label="Saves">
      <header className={classes.savesHead}>
        <h2>Saves</h2>
        <span className="t3">{saves.kept}</span>
      </header>
      {byDay(saves.saves).map((d) => (
        <div key={d.title}>
          <h3 className={classes.day}>
            {d.title} <span className="t3">{d.date}</span>
          </h3>
          <ol>
            {d.saves.map((s) => (
              <Entry
                key={s.version.number}
                space={space}
                save={s}
                isChosen={s === chosen}
                takeApart={() => saves.takeApart(s)}
              />
            ))}
          </ol>
        </div>
      ))}
      {query.isFetchNextPageError && <ErrorCard error={query.error} what="older saves" />}
      {query.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Older saves
        </Button>
      )}
    </Panel>
  );
}

type EntryProps = { space: number; save: Save; isChosen: boolean; takeApart: () => void };

function Entry({ space, save, isChosen, takeApart }: EntryProps) {
  const names = useNames(false);
  const entry = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) entry.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  const { version: v, all } = save;
  return (
    <li ref={entry} className={classes.save} data-chosen={isChosen || undefined}>
      <Link
        to="/spaces/$id/history/$save"
        params={{ id: String(space), save: String(v.number) }}
        search
        resetScroll={false}
        aria-current={isChosen ? "true" : undefined}
      >
        <span className={classes.saved}>
          <b className="num" data-tip={exact(v.at)}>
            {timeOf(v.at)}
          </b>
          <Who actor={v.actor} />
          <SaveName version={v} />
        </span>
        <span className={classes.did}>{sentence(save, names)}</span>
      </Link>
      {all.length > 1 && (
        <button type="button" className={classes.apart} data-tip="Show each of them" onClick={takeApart}>
          {count(all.length, "save")}
        </button>
      )}
    </li>
  );
}

/** What somebody called a save. */
export function SaveName({ version: v }: { version: Version }) {
  return v.name ? <span className={`${classes.name} cut`}>{`named: ${v.name}`}</span> : null;
}

/** Who saved: a token is known by its key. */
function Who({ actor }: { actor: string }) {
  if (!actor.startsWith("token:")) return <span className="cut">{actor ? who(actor) : "unknown"}</span>;
  return (
    <span className={classes.token}>
      <IconKey size={13} stroke={1.6} role="img" aria-label="Token" />
      <span className="cut">{actor.slice("token:".length)}</span>
    </span>
  );
}
