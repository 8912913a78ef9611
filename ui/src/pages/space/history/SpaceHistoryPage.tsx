import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { spaces } from "../../../api/spaces";
import { Page } from "../../../components/Page";
import { ErrorCard, FormError } from "../../../components/problems";
import { SkeletonRows } from "../../../components/Skeleton";
import { usePhone } from "../../../shell/usePhone";
import { useSession } from "../../../shell/useSession";
import { TimeProvider } from "../../../time/TimeContext";
import { Changes } from "./Changes";
import { HistoryHeading, HistoryTools, ViewSwitch } from "./HistoryTools";
import { SavesList } from "./SavesList";
import classes from "./SpaceHistory.module.css";
import type { Save } from "./saves";
import { useHistoryView, type View } from "./useHistoryView";
import { useSaveActions } from "./useSaveActions";
import { type Saves, useSaves } from "./useSaves";
import { OneSide, Overlay, SideBySide } from "./VersionViews";

const AsText = lazy(() => import("./AsText"));
const NameSave = lazy(() => import("./NameSave"));

/** Every save of a space, and what one of them changed. */
export function SpaceHistoryPage() {
  const { id, save } = useParams({ strict: false }) as { id: string; save?: string };
  return (
    <TimeProvider key={id}>
      <SpaceHistory id={Number(id)} save={save === undefined ? undefined : Number(save)} />
    </TimeProvider>
  );
}

function SpaceHistory({ id, save }: { id: number; save: number | undefined }) {
  const { canEdit } = useSession();
  const phone = usePhone();
  const thing = { kind: "space" as const, id };
  const { data: space } = useQuery(spaces.one(id));
  const saves = useSaves(thing, save);
  const { chosen } = saves;
  const { view, setView, close, toLatest } = useHistoryView(id, saves, phone);
  const actions = useSaveActions(thing, saves.latest, toLatest);
  // A phone has room for the list, or for one of its saves.
  const listOnly = phone && save === undefined;
  const onSave = phone && !listOnly;
  return (
    <Page
      title={space ? `History of ${space.name}` : "History"}
      heading={<HistoryHeading id={id} name={space?.name ?? ""} />}
      parent={onSave ? { to: `/spaces/${id}/history`, label: "saves" } : { to: `/spaces/${id}`, label: "the space" }}
      viewOnly={!canEdit}
      tools={
        <HistoryTools
          view={view}
          setView={setView}
          close={close}
          save={canEdit && chosen && !listOnly ? actions.of(chosen.version) : undefined}
        />
      }
    >
      <FormError error={actions.error} />
      <div className={classes.page}>
        {!listOnly && (
          <div className={classes.main}>
            <ViewSwitch view={view} setView={setView} phone={phone} narrow />
            <Chosen saves={saves} view={view} phone={phone} />
          </div>
        )}
        {!onSave && <List id={id} saves={saves} chosen={phone ? undefined : chosen} />}
      </div>
      <Suspense fallback={null}>
        {actions.naming && <NameSave thing={thing} version={actions.naming} close={actions.close} />}
      </Suspense>
    </Page>
  );
}

function List({ id, saves, chosen }: { id: number; saves: Saves; chosen: Save | undefined }) {
  const { data, error, refetch } = saves.query;
  if (error && !data) return <ErrorCard error={error} retry={() => void refetch()} what="the history" />;
  return data ? <SavesList space={id} saves={saves} chosen={chosen} /> : <SkeletonRows rows={6} />;
}

type ChosenProps = { saves: Saves; view: View; phone: boolean };

/** The save that is looked at. */
function Chosen({ saves: { query, saves, chosen, lacking }, view, phone }: ChosenProps) {
  if (query.error && !query.data) return null; // the list says so
  if (!query.data || (lacking && !chosen)) return <SkeletonRows rows={3} height={160} />;
  if (!chosen) return <p className={classes.note}>There is no such save any more.</p>;
  const { version, before } = chosen;
  const only = saves.length === 1 && chosen.all.length === 1;
  return (
    <>
      <Suspense fallback={<SkeletonRows rows={3} height={160} />}>
        {view === "text" && <AsText save={chosen} />}
        {view !== "text" && phone && <OneSide save={chosen} which={view === "before" ? "before" : "after"} />}
        {view !== "text" && !phone && (view === "overlay" ? <Overlay save={chosen} /> : <SideBySide save={chosen} />)}
      </Suspense>
      {before && <Changes before={before} version={version} />}
      {!before && !lacking && (
        <p className={classes.note}>
          {only ? "Nothing was changed since it was made." : "There is no save before this one."}
        </p>
      )}
      <p className={classes.note}>
        Restoring makes a new save at the top. Nothing in this list is lost, and Undo is offered for 10 s.
      </p>
    </>
  );
}
