import { IconChevronDown, IconDeviceFloppy, IconUsers } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { alertViews } from "../../api/alertViews";
import type { AlertView } from "../../api/ui.gen";
import { Chip } from "../../components/controls";
import { Menu } from "../../components/Menu";
import { isSameView, noView, type Viewed, viewOf } from "../../lib/alertFilter";
import { useSession } from "../../shell/useSession";
import { toast } from "../../toasts/toast";
import classes from "./Alerts.module.css";

const SaveView = lazy(() => import("./SaveView"));

type Props = { asked: Viewed; change: (to: Viewed) => void };

/** The views that are kept, as chips, and what keeps the one that is shown. */
export function SavedViews({ asked, change }: Props) {
  const { data: views = [] } = useQuery(alertViews.list());
  const [saving, setSaving] = useState(false);
  const shown = viewOf(asked);
  const isNew = Object.keys(shown).length > 0 && !views.some((v) => isSameView(v.filter, shown));
  return (
    <>
      {views.length > 0 && <span className={classes.divider} aria-hidden />}
      {views.map((v) => (
        <ViewChip key={v.id} view={v} active={isSameView(v.filter, shown)} change={change} />
      ))}
      {isNew && (
        <Chip className={classes.save ?? ""} aria-haspopup="dialog" onClick={() => setSaving(true)}>
          <IconDeviceFloppy size={14} stroke={1.6} aria-hidden /> Save view
        </Chip>
      )}
      {saving && (
        <Suspense fallback={null}>
          <SaveView filter={shown} close={() => setSaving(false)} />
        </Suspense>
      )}
    </>
  );
}

type ChipProps = { view: AlertView; active: boolean; change: (to: Viewed) => void };

/** Pressed, the list is narrowed to it. The one that is shown has a menu. */
function ViewChip({ view: v, active, change }: ChipProps) {
  const { canEdit } = useSession();
  const remove = useRemove(v);
  const name = (
    <>
      {v.shared && <IconUsers size={13} stroke={1.6} aria-hidden />}
      <span className={classes.viewName}>{v.name}</span>
    </>
  );
  const whose = v.shared ? "for everyone" : "only for you";
  if (!active)
    return (
      <Chip data-tip={`View ${whose}`} onClick={() => change({ ...noView, ...v.filter })}>
        {name}
      </Chip>
    );
  return (
    <Menu
      label={`View ${v.name}`}
      align="start"
      items={[
        { label: "Show all alerts", run: () => change(noView) },
        {
          label: "Delete view",
          danger: true,
          disabled: v.shared && !canEdit && "Only those who may edit alerts delete views for everyone.",
          run: remove,
        },
      ]}
      target={(p) => (
        <Chip active aria-label={`View ${v.name}, ${whose}`} {...p}>
          {name}
          <IconChevronDown size={13} stroke={1.6} aria-hidden />
        </Chip>
      )}
    />
  );
}

/** Deletes a view, with a way back. */
function useRemove(v: AlertView): () => void {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: alertViews.list().queryKey });
  const failed = (err: Error) => toast(err.message, { tone: "error" });
  const undo = () => void alertViews.save(v).then(refresh, failed);
  return () =>
    void alertViews.remove(v).then(() => {
      toast(`The view ${v.name} is deleted.`, { undo });
      return refresh();
    }, failed);
}
