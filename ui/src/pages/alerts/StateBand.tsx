import { alerts } from "../../api/alerts";
import { useChange } from "../../api/resource";
import type { AlertDetail } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { Panel } from "../../components/Panel";
import { Severity } from "../../components/Severity";
import { StateIcon } from "../../components/StateIcon";
import { person, shortMoment } from "../../lib/alertWords";
import { ago, count, duration, whole } from "../../lib/format";
import { useShortcuts } from "../../shell/shortcuts";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import { AcknowledgeButton, useAcknowledge, useWaiting } from "./Acknowledge";
import classes from "./Alert.module.css";
import { NextNotifiedBar } from "./NextNotified";
import { FiringPill } from "./Pills";
import parts from "./pillsAndLinks.module.css";
import { ResolveButton } from "./Resolve";
import { Sentence } from "./Sentence";
import { SnoozeHour, SnoozeMenu } from "./Snooze";
import { Trouble } from "./Trouble";

type Props = {
  alert: AlertDetail;
  /** How many streams it looks at; 0 while that is not known. */
  streams: number;
};

/** The state, why in one sentence, and what can be done about it. */
export function StateBand({ alert: a, streams }: Props) {
  return (
    <>
      <Trouble alert={a} />
      <Band alert={a} streams={streams} />
      {/* Spoken when it changes, not while the minutes pass. */}
      <span className="sr" role="status">{`${a.name} ${spoken[a.state]}`}</span>
    </>
  );
}

const spoken = { firing: "is firing", ok: "is OK", snoozed: "is snoozed", inactive: "is Inactive" };

function Band({ alert: a, streams }: Props) {
  if (a.state === "firing") return <Firing alert={a} streams={streams} />;
  if (a.state === "snoozed") return <Snoozed alert={a} />;
  return <Quiet alert={a} />;
}

/** Later than this it is worth saying that somebody has it, and it still fires. */
const longTaken = 4 * 3600;

function Firing({ alert: a, streams }: Props) {
  const { canEdit } = useSession();
  const phone = usePhone();
  const acknowledge = useAcknowledge(a);
  const waits = useWaiting(a.id);
  const taken = a.acknowledged_at !== undefined;
  useShortcuts(canEdit && !taken ? [{ keys: "a", label: "Acknowledge", run: () => acknowledge.run() }] : []);
  return (
    <Panel className={classes.band ?? ""} data-state="firing">
      <span className={classes.pills}>
        <FiringPill since={a.since} taken={taken} />
        {phone && <Severity severity={a.severity} firing pill />}
      </span>
      <Why alert={a} streams={streams} />
      {canEdit && (
        <span className={classes.acts}>
          {!taken && <AcknowledgeButton alert={a} />}
          {phone ? <SnoozeHour alert={a} /> : <SnoozeMenu alert={a} size="sm" />}
          <ResolveButton alert={a} violating={a.violating.length > 0} size="sm" />
        </span>
      )}
      {waits && (
        <p className="t2" role="status">
          No connection. It is acknowledged as soon as you are back.
        </p>
      )}
      {phone && <NextNotifiedBar alert={a} />}
    </Panel>
  );
}

/** Since when and because of what, and who has it. */
function Why({ alert: a, streams }: Props) {
  const phone = usePhone();
  const many = a.violating.length;
  const of = streams > many ? `${whole(many)} of ${count(streams, "stream")}` : count(many, "stream");
  return (
    <span className={classes.why}>
      {!phone && `since ${shortMoment(a.since)} because `}
      <Sentence words={a.words} was />
      {many > 0 && (
        <>
          {a.words.some((p) => p.kind === "words" && p.text.includes(",")) ? ", on " : " on "}
          <b>{of}</b>
        </>
      )}
      {a.acknowledged_at !== undefined && !phone && <span className="t2">{`. ${takenWords(a)}`}</span>}
    </span>
  );
}

function takenWords({ acknowledged_at: at = 0, acknowledged_by: by = "" }: AlertDetail): string {
  const long = Date.now() / 1000 - at;
  if (long > longTaken) return `Still firing ${duration(long)} after it was acknowledged by ${person(by)}.`;
  return `Acknowledged by ${person(by)}, ${shortMoment(at)}.`;
}

/** A snooze keeps notifications from being sent, not the values from being wrong. */
function StillViolating({ alert: { violating } }: { alert: AlertDetail }) {
  if (violating.length === 0) return null;
  const since = violating.reduce((first, v) => Math.min(first, v.since), Number.POSITIVE_INFINITY);
  return (
    <b
      className={parts.red}
    >{`Still violating on ${count(violating.length, "stream")} since ${shortMoment(since)}. `}</b>
  );
}

function Snoozed({ alert: a }: { alert: AlertDetail }) {
  const { canEdit } = useSession();
  const resume = useChange(["alerts"], alerts.resume);
  const snooze = a.snoozes[0];
  const until = snooze?.until ? `until ${shortMoment(snooze.until)}` : "until somebody resumes it";
  return (
    <Panel className={classes.band ?? ""} data-state="snoozed">
      <StateIcon state="snoozed" />
      <span className={classes.why}>
        {`Snoozed ${until}${snooze?.by ? ` by ${person(snooze.by)}` : ""}. Nobody is notified. `}
        <StillViolating alert={a} />
        <span className="t2">
          <Sentence words={a.words} />
        </span>
      </span>
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

function Quiet({ alert: a }: { alert: AlertDetail }) {
  const { canEdit } = useSession();
  const said =
    a.state === "inactive"
      ? "Inactive: it is not evaluated, and nobody is notified. "
      : a.last_fired_at
        ? `OK. Last fired ${ago(a.last_fired_at)}. `
        : "OK. It has not fired yet. ";
  return (
    <Panel className={classes.band ?? ""} data-state={a.state}>
      <StateIcon state={a.state} />
      <span className={classes.why}>
        {said}
        <span className="t2">
          <Sentence words={a.words} />
        </span>
      </span>
      {canEdit && a.state === "ok" && (
        <span className={classes.acts}>
          <SnoozeMenu alert={a} size="sm" />
        </span>
      )}
    </Panel>
  );
}
