import { IconCalendarPlus, IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Button } from "../../components/Button";
import { discard, useConfirm } from "../../components/confirm";
import { IconButton } from "../../components/controls";
import { DrawerPage } from "../../components/overlays";
import { Page } from "../../components/Page";
import { viewer } from "../../lib/viewer";
import { useShortcuts } from "../../shell/shortcuts";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import { wall } from "../../time/wall";
import { addDays, atDay, type Date3, isoDay, parseDay, weekOf } from "../../time/week";
import { type Draft, newDraft, nothing } from "./draft";
import classes from "./Maintenance.module.css";
import { Week } from "./Week";
import { WeekBar } from "./WeekBar";
import { WindowForm } from "./WindowForm";
import { WindowList } from "./WindowList";

/** When nobody is notified of some alerts: a week as a calendar, or a list. */
export function MaintenancePage() {
  const { week: asked, view = "week" } = useSearch({ from: "/shell/maintenance" });
  const { canEdit } = useSession();
  const phone = usePhone();
  const navigate = useNavigate();
  const today = wall(Date.now() / 1000, viewer().zone);
  const week = weekOf(parseDay(asked) ?? today);
  const go = (day: Date3 | undefined) =>
    void navigate({ to: "/maintenance", search: { view, ...(day && { week: isoDay(day) }) }, replace: true });
  const show = (v: string) =>
    void navigate({ to: "/maintenance", search: { view: v, ...(asked && { week: asked }) }, replace: true });
  const { draft, setDraft, open, close, done } = useDraft();
  const create = () => void open(newDraft(...nextHour(week)));
  const first = week[0] as Date3;
  useShortcuts([
    ...(canEdit ? [{ keys: "c", label: "New window", run: create }] : []),
    { keys: "n", label: "Next week", run: () => go(addDays(first, 7)) },
    { keys: "p", label: "Week before", run: () => go(addDays(first, -7)) },
    { keys: "t", label: "This week", run: () => go(undefined) },
  ]);
  const asList = phone || view === "list";
  const form = draft && (
    <WindowForm
      key={`${draft.window?.id} ${draft.occurrence?.start}`}
      draft={draft}
      onChange={setDraft}
      close={close}
      done={done}
      canEdit={canEdit}
    />
  );
  const title = draft?.window ? (canEdit ? "Change window" : draft.window.name) : "New window";
  return (
    <Page
      title="Maintenance"
      viewOnly={!canEdit}
      tools={
        phone ? (
          canEdit && (
            <IconButton label="New window" onClick={create}>
              <IconPlus size={21} stroke={1.6} />
            </IconButton>
          )
        ) : (
          <>
            <div className={classes.views} role="group" aria-label="View">
              {["week", "list"].map((v) => (
                <button key={v} type="button" aria-pressed={view === v} onClick={() => show(v)}>
                  {v === "week" ? "Week" : "List"}
                </button>
              ))}
            </div>
            {canEdit && (
              <Button variant="default" leftSection={<IconCalendarPlus size={15} stroke={1.6} />} onClick={create}>
                New window
              </Button>
            )}
          </>
        )
      }
    >
      {!asList && <WeekBar week={week} go={go} />}
      <div className={classes.columns} data-open={(draft && !phone) || undefined}>
        {asList ? (
          <WindowList open={open} create={canEdit ? create : undefined} />
        ) : (
          <Week week={week} draft={draft} open={open} change={setDraft} canEdit={canEdit} />
        )}
        {draft && !phone && (
          <aside className={classes.drawer} aria-label={title}>
            {form}
          </aside>
        )}
      </div>
      {phone && draft && (
        <DrawerPage opened onClose={() => void close()} title={title}>
          {form}
        </DrawerPage>
      )}
    </Page>
  );
}

/** The hour after the next full one; in another week, at eight on its first day. */
function nextHour(week: Date3[]): [number, number] {
  const begin = atDay(week[0] as Date3);
  const end = atDay(addDays(week[0] as Date3, 7));
  const next = Math.ceil(Date.now() / 3_600_000) * 3600;
  const start = next >= begin && next < end ? next : atDay(week[0] as Date3, 8 * 3600);
  return [start, start + 3600];
}

/** What is being made or changed; leaving it with changes is asked about. */
function useDraft() {
  const client = useQueryClient();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const { alerts } = useSearch({ from: "/shell/maintenance" });
  const [draft, setDraft] = useState<Draft>();
  const [opened, setOpened] = useState<Draft>();
  const start = (d: Draft | undefined) => {
    setDraft(d);
    setOpened(d);
  };
  const changed = draft !== undefined && JSON.stringify(draft) !== JSON.stringify(opened);
  const mayLeave = async () => !changed || (await confirm(discard(draft?.window?.name)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: other pages lead here with alerts to cover, once
  useEffect(() => {
    if (!alerts) return;
    const ids = alerts.split(",").map(Number).filter(Number.isInteger);
    const now = Math.ceil(Date.now() / 900_000) * 900;
    start(newDraft(now, now + 3600, { ...nothing, alerts: ids }));
    void navigate({ to: "/maintenance", search: {}, replace: true });
  }, [alerts]);
  return {
    draft,
    setDraft,
    open: async (d: Draft) => {
      const yes = await mayLeave();
      if (yes) start(d);
      return yes;
    },
    close: async () => {
      if (await mayLeave()) start(undefined);
    },
    done: async () => {
      start(undefined);
      await client.invalidateQueries({ queryKey: ["maintenance"] });
    },
  };
}
