import { useQuery } from "@tanstack/react-query";
import { ask } from "../api/client";
import { history, type Thing } from "../api/history";
import { Button } from "../components/Button";
import { Modal } from "../components/overlays";
import { ErrorCard } from "../components/problems";
import { Skeleton } from "../components/Skeleton";
import { who } from "../lib/audit";
import { moment } from "../lib/format";
import { Differences } from "./Differences";
import classes from "./History.module.css";

type Props = {
  thing: Thing;
  /** The version that was edited here. */
  version: number;
  close: () => void;
  /** Leaves what was changed here, and edits what there is now. */
  takeTheirs: () => void;
  /** Saves over the version that is shown. */
  saveMine: (over: number) => void;
};

/** Somebody saved meanwhile: what they changed, and whose stays. */
export default function Conflict({ thing, version, close, takeTheirs, saveMine }: Props) {
  const mine = useQuery(history.version(thing, version));
  const latest = useQuery({
    queryKey: ["history", thing.kind, String(thing.id), "latest", version],
    queryFn: ({ signal }) => ask("GET /ui/api/history/{kind}/{id}", { at: { ...thing }, signal }),
    staleTime: 0,
  });
  const theirs = latest.data?.versions[0];
  const error = mine.error ?? latest.error;
  return (
    <Modal
      opened
      onClose={close}
      title="Somebody saved this meanwhile"
      size={620}
      footer={
        <>
          <Button variant="default" onClick={close} data-autofocus>
            Keep editing
          </Button>
          <Button variant="default" onClick={takeTheirs}>
            Take theirs
          </Button>
          <Button color="ember" disabled={!theirs} onClick={() => theirs && saveMine(theirs.number)}>
            Save mine on top
          </Button>
        </>
      }
    >
      <div className={classes.theirs}>
        {error && <ErrorCard error={error} what="what changed" />}
        {!error && (!theirs || !mine.data) && <Skeleton height={120} />}
        {theirs && mine.data && (
          <>
            <p>
              <b>{who(theirs.actor)}</b>
              {` saved version ${theirs.number}, ${moment(theirs.at)}. You began with version ${version}. They changed:`}
            </p>
            <Differences
              kind={thing.kind}
              before={mine.data.document}
              after={theirs.document}
              labels={["When you began", "Now"]}
            />
            <p className="t2">
              Saving yours replaces theirs; taking theirs discards what you changed. Both stay in the history.
            </p>
          </>
        )}
      </div>
    </Modal>
  );
}
