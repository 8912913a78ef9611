import { IconChevronDown, IconClock } from "@tabler/icons-react";
import { alerts } from "../../api/alerts";
import { useChange } from "../../api/resource";
import { Button } from "../../components/Button";
import { Menu, type MenuItem } from "../../components/Menu";
import { inHours, tomorrowNine } from "../../lib/alertWords";
import { clock } from "../../lib/format";
import { toast } from "../../toasts/toast";

type Alert = { id: number; name: string };

/** Lets an alert be quiet for a while, with a way back. */
export function useSnooze({ id, name }: Alert) {
  const snooze = useChange(["alerts"], alerts.snooze);
  const undo = useChange(["alerts"], alerts.undoSnooze);
  // The row may be gone by the time of the answer, and its mutation with it.
  const until = (at: number | null, words: string) =>
    void snooze
      .mutateAsync({ id, until: at })
      .then((made) =>
        toast(`${name} is snoozed ${words}. Nobody is notified.`, { undo: () => undo.mutate({ id, snooze: made.id }) }),
      )
      .catch((err: Error) => toast(err.message, { tone: "error" }));
  return { until, hours: (n: number) => until(inHours(n), `until ${clock(inHours(n))}`) };
}

/** How long something can be quiet: run is given until when (null: until somebody resumes it), and that in words. */
export const snoozeItems = (run: (until: number | null, words: string) => void): MenuItem[] => [
  { label: "1 hour", run: () => run(inHours(1), `until ${clock(inHours(1))}`) },
  { label: "4 hours", run: () => run(inHours(4), `until ${clock(inHours(4))}`) },
  { label: "Until 9:00 tomorrow", run: () => run(tomorrowNine(), "until 9:00 tomorrow") },
  { label: "Until I resume", run: () => run(null, "until somebody resumes it") },
];

export function SnoozeMenu({ alert, size = "xs" }: { alert: Alert; size?: "xs" | "sm" }) {
  const snooze = useSnooze(alert);
  return (
    <Menu
      label={`Snooze ${alert.name}`}
      items={snoozeItems(snooze.until)}
      target={(p) => (
        <Button
          variant="default"
          size={size}
          {...(size === "sm" && { leftSection: <IconClock size={15} stroke={1.6} /> })}
          {...p}
        >
          Snooze
          {size === "sm" && <IconChevronDown size={14} stroke={1.6} style={{ marginLeft: 8 }} aria-hidden />}
        </Button>
      )}
    />
  );
}

/** For a thumb at night: one press, one hour. */
export function SnoozeHour({ alert }: { alert: Alert }) {
  const snooze = useSnooze(alert);
  return (
    <Button variant="default" onClick={() => snooze.hours(1)}>
      Snooze 1 h
    </Button>
  );
}
