import { IconClockExclamation, IconTool } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { maintenance } from "../../api/maintenance";
import type { AlertList } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { Notice } from "../../components/Notice";
import { windowsOf, windowWords } from "../../lib/alertFilter";
import { shortMoment } from "../../lib/alertWords";
import { duration, whole } from "../../lib/format";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import { toast } from "../../toasts/toast";
import parts from "./pillsAndLinks.module.css";

/** Later than this is worth saying so. */
const tolerated = 60;

type Props = { list: AlertList; show: (window: string) => void };

/** What the whole list should know: that evaluation is late, or else which maintenance is under way. */
export function AlertNotice({ list, show }: Props) {
  const phone = usePhone();
  const [window, ...others] = windowsOf(list.alerts);
  if (list.late > tolerated)
    return (
      <Notice tone="amber" icon={<IconClockExclamation size={17} stroke={1.6} aria-hidden />}>
        <b>{`Evaluation is ${duration(list.late)} late.`}</b> States are as they were then, and nobody is notified of
        what happened since.
      </Notice>
    );
  if (!window) return null;
  if (phone)
    return (
      <Notice icon={<IconTool size={17} stroke={1.6} aria-hidden />}>
        <b>{window.name}</b>
        {` until ${shortMoment(window.until)}. `}
        <button type="button" className={parts.link} onClick={() => show(String(window.id))}>
          {window.alerts.length === 1
            ? "1 alert notifies nobody."
            : `${whole(window.alerts.length)} alerts notify nobody.`}
        </button>
      </Notice>
    );
  const more = others.length > 0 ? ` ${whole(others.length)} more under way.` : "";
  return (
    <Notice
      icon={<IconTool size={17} stroke={1.6} aria-hidden />}
      actions={
        <>
          <Button variant="default" size="xs" onClick={() => show(String(window.id))}>
            {window.alerts.length === 1 ? "Show it" : `Show the ${whole(window.alerts.length)}`}
          </Button>
          <Ends id={window.id} name={window.name} />
        </>
      }
    >
      <b>{window.name}</b>
      {` is under way until ${shortMoment(window.until)}. ${windowWords(window.alerts, window.suspended)}${more}`}
    </Notice>
  );
}

/** A window that does not repeat can be made longer, or ended. */
function Ends({ id, name }: { id: number; name: string }) {
  const { canEdit } = useSession();
  const { data } = useQuery({ ...maintenance.one(id), enabled: canEdit });
  const client = useQueryClient();
  if (!canEdit || !data || data.repeat || data.ends_at === null) return null;
  const was = data.ends_at;
  const failed = (err: Error) => toast(err.message, { tone: "error" });
  const put = async (ends_at: number) => {
    await maintenance.update({ id, ends_at });
    await Promise.all([["maintenance"], ["alerts"]].map((queryKey) => client.invalidateQueries({ queryKey })));
  };
  // With its end the notice is gone, and what waits in it for an answer with it.
  const set = (to: number, words: string) =>
    void put(to).then(() => toast(words, { undo: () => void put(was).catch(failed) }), failed);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={() => set(was + 3600, `${name} goes on until ${shortMoment(was + 3600)}.`)}
      >
        Extend by 1 h
      </Button>
      <Button
        variant="default"
        size="xs"
        onClick={() => set(Math.floor(Date.now() / 1000), `${name} is over. What still fires is notified.`)}
      >
        End now
      </Button>
    </>
  );
}
