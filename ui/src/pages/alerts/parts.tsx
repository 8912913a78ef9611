import { IconBellOff, IconBellRinging, IconBellZ, IconCheck, IconChevronDown, IconClock } from "@tabler/icons-react";
import { useState } from "react";
import { alerts } from "../../api/alerts";
import { useChange } from "../../api/resource";
import type { AlertState } from "../../api/types";
import { Button } from "../../components/Button";
import { Menu } from "../../components/Menu";
import { Modal } from "../../components/overlays";
import { stripMarks, stripSentence } from "../../lib/alertWords";
import { clock } from "../../lib/format";
import { note } from "../../notes/notes";
import classes from "./Alerts.module.css";

const looks = {
  ok: { icon: IconCheck, color: "var(--tm-grn)", word: "OK" },
  firing: { icon: IconBellRinging, color: "var(--tm-red)", word: "Firing" },
  snoozed: { icon: IconBellZ, color: "var(--tm-t2)", word: "Snoozed" },
  inactive: { icon: IconBellOff, color: "var(--tm-t3)", word: "Inactive" },
};

/** State is never colour alone. */
export function StateIcon({ state, size = 17 }: { state: AlertState; size?: number }) {
  const { icon: Icon, color, word } = looks[state];
  return <Icon size={size} stroke={1.6} color={color} aria-label={word} role="img" style={{ display: "block" }} />;
}

/** The sentence of an alert: the metric is a machine's word, the rest is ours. Strong puts weight on the threshold. */
export function Sentence({ text, strong = false }: { text: string; strong?: boolean }) {
  const [metric, ...rest] = text.split(" ");
  const words = rest.join(" ");
  const [, before, threshold, after] = /^(.*?(?:above|below) )(.+?)(( for |,).*)?$/.exec(words) ?? [];
  return (
    <>
      <span className="mono">{metric}</span>{" "}
      {strong && threshold ? (
        <>
          {before}
          <b>{threshold}</b>
          {after}
        </>
      ) : (
        words
      )}
    </>
  );
}

/** The last 24 hours: green, with red where it fired. */
export function Strip({ strip, off, seconds = 86_400 }: { strip: [number, number][]; off: boolean; seconds?: number }) {
  const end = Date.now() / 1000;
  return (
    <div className={classes.strip} data-off={off} role="img" aria-label={stripSentence(strip)}>
      {stripMarks(strip, end - seconds, end).map((m, i) => (
        <i key={i} style={{ left: `${m.left}%`, width: `${m.width}%` }} />
      ))}
    </div>
  );
}

/** Tomorrow at nine, by the browser's clock. */
export function tomorrowNine(now = new Date()): number {
  const t = new Date(now);
  t.setDate(t.getDate() + 1);
  t.setHours(9, 0, 0, 0);
  return Math.floor(t.getTime() / 1000);
}

const failed = (err: Error) => note(err.message, { tone: "error" });

/** Lets an alert be quiet for a while, with a way back. */
function useSnooze(id: number, name: string) {
  const snooze = useChange(["alerts"], alerts.snooze);
  const resume = useChange(["alerts"], alerts.resume);
  return (until: number | null, words: string) =>
    snooze.mutate(
      { id, until },
      {
        onSuccess: () => note(`${name} is snoozed ${words}. Nobody is told.`, { undo: () => resume.mutate(id) }),
        onError: failed,
      },
    );
}

const inHours = (n: number) => Math.floor(Date.now() / 1000) + n * 3600;

export function SnoozeMenu({ id, name, size = "xs" }: { id: number; name: string; size?: "xs" | "sm" }) {
  const snooze = useSnooze(id, name);
  const hours = (n: number) => () => snooze(inHours(n), `until ${clock(inHours(n))}`);
  return (
    <Menu
      label={`Snooze ${name}`}
      items={[
        { label: "1 hour", run: hours(1) },
        { label: "4 hours", run: hours(4) },
        { label: "Until 9:00 tomorrow", run: () => snooze(tomorrowNine(), "until 9:00 tomorrow") },
        { label: "Until I resume", run: () => snooze(null, "until somebody resumes it") },
      ]}
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
export function SnoozeHour({ id, name }: { id: number; name: string }) {
  const snooze = useSnooze(id, name);
  return (
    <Button variant="default" onClick={() => snooze(inHours(1), `until ${clock(inHours(1))}`)}>
      Snooze 1 h
    </Button>
  );
}

/** Ends an incident by hand. While it still violates, it says that it will fire again. */
export function ResolveButton({
  id,
  name,
  violating,
  filled,
}: {
  id: number;
  name: string;
  violating: boolean;
  filled?: boolean;
}) {
  const resolve = useChange(["alerts"], alerts.resolve);
  const snooze = useSnooze(id, name);
  const [asking, setAsking] = useState(false);
  const run = () => {
    setAsking(false);
    resolve.mutate(id, { onSuccess: () => note(`${name} is resolved.`), onError: failed });
  };
  const instead = () => {
    setAsking(false);
    snooze(inHours(1), `until ${clock(inHours(1))}`);
  };
  return (
    <>
      <Button
        variant={filled ? "filled" : "default"}
        size={filled ? "sm" : "xs"}
        loading={resolve.isPending}
        onClick={() => (violating ? setAsking(true) : run())}
      >
        Resolve
      </Button>
      <Modal opened={asking} onClose={() => setAsking(false)} title={`Resolve ${name}?`}>
        <p className="t2">Still violating. It fires again with the next such measurement.</p>
        <div className={classes.actions}>
          <Button variant="default" onClick={instead}>
            Snooze instead
          </Button>
          <Button data-autofocus onClick={run}>
            Resolve
          </Button>
        </div>
      </Modal>
    </>
  );
}
