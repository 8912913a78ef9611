import { IconDots } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { reports } from "../../../api/reports";
import { services as serviceApi } from "../../../api/services";
import type { Service } from "../../../api/types";
import type { Report } from "../../../api/ui.gen";
import { Button } from "../../../components/Button";
import { useConfirm } from "../../../components/confirm";
import { IconButton } from "../../../components/controls";
import { Menu } from "../../../components/Menu";
import { Modal } from "../../../components/overlays";
import { ErrorCard } from "../../../components/problems";
import { RelativeTime } from "../../../components/RelativeTime";
import { SkeletonRows } from "../../../components/Skeleton";
import dialogs from "../../../dialogs/Dialogs.module.css";
import { moment } from "../../../lib/format";
import { toast } from "../../../toasts/toast";
import { reportWords } from "./draft";
import { ReportForm } from "./ReportForm";
import classes from "./Reports.module.css";

type Thing = { id: number; name: string };

/** Pictures of a space that are sent by mail or chat, again and again. */
export function ReportsDialog({ space, close }: { space: Thing; close: () => void }) {
  // What is asked for is sent within seconds.
  const list = useQuery({ ...reports.of(space.id), refetchInterval: 5_000 });
  const all = useQuery(serviceApi.list());
  const types = useQuery(serviceApi.types);
  const [editing, setEditing] = useState<Report | "new">();
  const error = list.error ?? all.error ?? types.error;
  const loaded = list.data && all.data && types.data;
  const known = all.data?.items ?? [];
  // Of more than a page of services not all are known: none is taken for deleted.
  const whole = known.length === all.data?.total;
  const showing = known.filter((s) => types.data?.some((t) => t.type === s.type && t.pictures));
  return (
    <Modal opened onClose={close} title={`Send pictures of “${space.name}”`} size={560}>
      {!loaded && error ? <ErrorCard error={error} what="the scheduled pictures" /> : null}
      {!loaded && !error && <SkeletonRows rows={2} height={54} />}
      {loaded && editing && (
        <ReportForm
          space={space.id}
          report={editing === "new" ? undefined : editing}
          services={showing}
          kept={(ids) => ids.filter((id) => !whole || known.some((s) => s.id === id))}
          done={() => setEditing(undefined)}
        />
      )}
      {loaded && !editing && (
        <>
          <div className={dialogs.form}>
            <p className="t2">A picture of all charts of this space goes to mail or chat by a schedule.</p>
            <div className={dialogs.actions}>
              <Button onClick={() => setEditing("new")}>Schedule a picture</Button>
            </div>
          </div>
          <div className={classes.list}>
            {list.data.map((r) => (
              <Row
                key={r.id}
                report={r}
                services={known}
                unknown={whole ? "a deleted service" : "another service"}
                edit={() => setEditing(r)}
              />
            ))}
          </div>
        </>
      )}
    </Modal>
  );
}

type RowProps = { report: Report; services: Service[]; unknown: string; edit: () => void };

function Row({ report: r, services, unknown, edit }: RowProps) {
  const client = useQueryClient();
  const confirm = useConfirm();
  const reload = () => client.invalidateQueries({ queryKey: reports.of(r.space).queryKey });
  const change = async (act: () => Promise<unknown>, said: string) => {
    try {
      await act();
      toast(said);
    } catch (err) {
      toast(err instanceof Error ? err.message : String(err), { tone: "error" });
    }
    await reload();
  };
  const remove = async () => {
    const sure = await confirm({
      title: `Delete ${r.name}?`,
      text: "It is no longer sent.",
      action: "Delete schedule",
      danger: true,
      act: () => reports.remove(r.id),
    });
    if (!sure) return;
    toast(`${r.name} deleted`);
    await reload();
  };
  const names = r.services.map((id) => services.find((s) => s.id === id)?.title ?? unknown);
  return (
    <div className={classes.row}>
      <div className={classes.what}>
        <b>{r.name}</b>
        <div className="t2">{`${reportWords(r)}, to ${names.join(", ")}`}</div>
        <State report={r} />
      </div>
      <div className={classes.acts}>
        <Button
          variant="default"
          size="xs"
          disabled={r.asked_at > 0}
          aria-label={`Send now: ${r.name}`}
          onClick={() => void change(() => reports.send(r.id), `${r.name} is drawn and sent now.`)}
        >
          Send now
        </Button>
        <Menu
          label={`Actions for ${r.name}`}
          target={(t) => (
            <IconButton label={`Actions for ${r.name}`} {...t}>
              <IconDots size={18} stroke={1.6} />
            </IconButton>
          )}
          items={[
            { label: "Edit…", run: edit },
            {
              label: r.paused ? "Resume" : "Pause",
              run: () =>
                void change(
                  () => reports.update(r.id, { paused: !r.paused }),
                  r.paused ? `${r.name} is sent again.` : `${r.name} is paused.`,
                ),
            },
            "line",
            { label: "Delete…", danger: true, run: () => void remove() },
          ]}
        />
      </div>
    </div>
  );
}

/** When it was sent and is sent next, and what went wrong. */
function State({ report: r }: { report: Report }) {
  return (
    <>
      <div className="t3">
        {r.sent_at ? (
          <>
            Sent <RelativeTime at={r.sent_at} />.
          </>
        ) : (
          "Never sent."
        )}
        {r.asked_at > 0 && " On its way."}
        {r.paused ? " Paused." : ` Next: ${moment(r.due_at)}.`}
      </div>
      {r.problem && <div className={classes.problem}>{r.problem}</div>}
    </>
  );
}
