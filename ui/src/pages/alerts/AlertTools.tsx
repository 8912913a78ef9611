import { IconDots, IconFlask, IconPencil } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { alerts } from "../../api/alerts";
import { useChange } from "../../api/resource";
import type { AlertDetail } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { IconButton } from "../../components/controls";
import { Menu } from "../../components/Menu";
import { exploreOf } from "../../lib/explore";
import { printPage } from "../../lib/print";
import { usualLines } from "../../lib/question";
import { usePhone } from "../../shell/usePhone";
import { toast } from "../../toasts/toast";
import { useAlertActions } from "./useAlertActions";

const HistoryDrawer = lazy(() => import("../../history/HistoryDrawer"));

/** What can be done with the alert as a whole. On a phone all of it is in the menu. */
export function AlertTools({ alert: a, edit }: { alert: AlertDetail; edit: () => void }) {
  const navigate = useNavigate();
  const phone = usePhone();
  const [past, setPast] = useState(false);
  const act = useAlertActions(a);
  const test = useChange(["alerts"], alerts.test);
  const send = () =>
    test.mutate(a.id, {
      onSuccess: ({ results }) =>
        toast(
          results.length === 0 ? "No service to notify." : results.map((r) => `${r.title}: ${r.answer}`).join("; "),
        ),
      onError: (err) => toast(err.message, { tone: "error" }),
    });
  const condition = a.alert.conditions[0];
  const explore = () => {
    const streams = a.alert.conditions.map(({ metric_name, tags, summary_function }) => ({
      metric: metric_name,
      tags,
      ...(summary_function && { summary_function }),
      group_function: usualLines(
        (tags ?? []).flatMap((t) => (t.grouped ? [t.name] : [])),
        summary_function ?? "",
      ),
    }));
    const search = ({ from, to, compare }: Record<string, string>) => ({ from, to, compare, ...exploreOf(streams) });
    void navigate({ to: "/explore", search } as never);
  };
  const table = () => {
    const group = condition?.tags.find((t) => t.grouped)?.name;
    const search = { metric: condition?.metric_name, view: "table", ...(group && { group }) };
    void navigate({ to: "/explore", search } as never);
  };
  return (
    <>
      {!phone && (
        <>
          <Button
            variant="default"
            leftSection={<IconFlask size={15} stroke={1.6} />}
            loading={test.isPending}
            onClick={send}
          >
            Send test
          </Button>
          <Button variant="default" leftSection={<IconPencil size={15} stroke={1.6} />} onClick={edit}>
            Edit
          </Button>
        </>
      )}
      <Menu
        label="More for this alert"
        items={[
          ...(phone
            ? [
                { label: "Edit", run: edit },
                { label: "Send test", run: send },
              ]
            : []),
          ...(condition ? [{ label: "Open in Explore", run: explore }] : []),
          ...(condition ? [{ label: "View as table", run: table }] : []),
          { label: "History", run: () => setPast(true) },
          { label: "Print", run: printPage },
          act.duplicate,
          ...act.reopen,
          act.toggle,
          "line",
          { label: "Delete…", danger: true, run: () => void act.remove(() => void navigate({ to: "/alerts" })) },
        ]}
        target={(p) => (
          <IconButton label="More" {...p}>
            <IconDots size={17} stroke={1.6} />
          </IconButton>
        )}
      />
      <Suspense fallback={null}>
        {past && <HistoryDrawer thing={{ kind: "alert", id: a.id }} name={a.name} close={() => setPast(false)} />}
      </Suspense>
    </>
  );
}
