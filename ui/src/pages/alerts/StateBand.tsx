import { IconBellRinging } from "@tabler/icons-react";
import { type AlertDetail, alerts } from "../../api/alerts";
import { useChange } from "../../api/resource";
import { Button } from "../../components/Button";
import { Panel } from "../../components/Panel";
import { person } from "../../lib/alertWords";
import { clock, count, duration, moment } from "../../lib/format";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import classes from "./Alerts.module.css";
import { ResolveButton, Sentence, SnoozeHour, SnoozeMenu, StateIcon } from "./parts";

/** The state, why in one sentence, and what can be done about it. */
export function StateBand({ alert: a }: { alert: AlertDetail }) {
  if (a.state === "firing") return <Firing alert={a} />;
  if (a.state === "snoozed") return <Snoozed alert={a} />;
  return <Quiet alert={a} />;
}

function Firing({ alert: a }: { alert: AlertDetail }) {
  const { canEdit } = useSession();
  const phone = usePhone();
  const many = a.violating.length;
  return (
    <Panel className={classes.band ?? ""} data-state="firing">
      <span className={classes.pill}>
        <IconBellRinging size={14} stroke={1.6} aria-hidden />
        {`Firing for ${duration(Math.max(60, Date.now() / 1000 - a.since))}`}
      </span>
      <span className={classes.why}>
        {!phone && `since ${clock(a.since)} because `}
        <Sentence text={a.sentence} strong />
        {many > 0 && (
          <>
            {" on "}
            <b>{count(many, "stream")}</b>
          </>
        )}
      </span>
      {canEdit && (
        <span className={classes.acts}>
          {phone ? <SnoozeHour id={a.id} name={a.name} /> : <SnoozeMenu id={a.id} name={a.name} size="sm" />}
          <ResolveButton id={a.id} name={a.name} violating={many > 0} filled />
        </span>
      )}
    </Panel>
  );
}

function Snoozed({ alert: a }: { alert: AlertDetail }) {
  const { canEdit } = useSession();
  const resume = useChange(["alerts"], alerts.resume);
  const snooze = a.snoozes[0];
  const until = snooze?.until ? `until ${snoozeEnd(snooze.until)}` : "until somebody resumes it";
  return (
    <Panel className={classes.band ?? ""} data-state="snoozed">
      <StateIcon state="snoozed" />
      <span
        className={classes.why}
      >{`Snoozed ${until}${snooze?.by ? ` by ${person(snooze.by)}` : ""}. Nobody is told.`}</span>
      {canEdit && (
        <span className={classes.acts}>
          <Button variant="default" onClick={() => resume.mutate(a.id)}>
            Resume
          </Button>
        </span>
      )}
    </Panel>
  );
}

/** "18:00" today, with its day otherwise. */
export function snoozeEnd(until: number, now = Date.now() / 1000): string {
  const said = moment(until, now);
  return said.startsWith("Today ") ? clock(until) : said;
}

function Quiet({ alert: a }: { alert: AlertDetail }) {
  const { canEdit } = useSession();
  const said =
    a.state === "inactive"
      ? "Inactive: it is not judged, and nobody is told. "
      : a.last_fired_at
        ? `OK. Last fired ${moment(a.last_fired_at)}. `
        : "OK. It has not fired yet. ";
  return (
    <Panel className={classes.band ?? ""} data-state={a.state}>
      <StateIcon state={a.state} />
      <span className={classes.why}>
        {said}
        <span className="t2">
          <Sentence text={a.sentence} />
        </span>
      </span>
      {canEdit && a.state === "ok" && (
        <span className={classes.acts}>
          <SnoozeMenu id={a.id} name={a.name} size="sm" />
        </span>
      )}
    </Panel>
  );
}
