import { Button } from "@mantine/core";
import { IconBellRinging, IconDots, IconExternalLink, IconFlask, IconPencil } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type AlertDetail, alerts } from "../../api/alerts";
import { useChange } from "../../api/resource";
import { Menu } from "../../components/Menu";
import { Page } from "../../components/Page";
import { ErrorCard, IconButton, Panel, SkeletonRows } from "../../components/parts";
import { clock, count, duration, moment, value } from "../../lib/format";
import { note } from "../../notes/notes";
import { useShortcuts } from "../../shell/shortcuts";
import { useSession } from "../../shell/useSession";
import { TimeProvider } from "../../time/TimeContext";
import { AlertChart } from "./AlertChart";
import classes from "./Alerts.module.css";
import { Deliveries, Incidents } from "./History";
import { ResolveButton, Sentence, SnoozeMenu, StateIcon } from "./parts";

export function AlertPage() {
  const { id } = useParams({ from: "/shell/alerts/$id" });
  const { data, error, refetch } = useQuery(alerts.detail(Number(id)));
  const { canEdit } = useSession();
  const navigate = useNavigate();
  const edit = () => void navigate({ to: "/alerts/$id/edit", params: { id } });
  useShortcuts(canEdit ? [{ keys: "e", label: "Edit alert", run: edit }] : []);
  return (
    <Page
      title={data?.name ?? "Alert"}
      parent={{ to: "/alerts", label: "Alerts" }}
      crumb
      viewOnly={!canEdit}
      tools={data && canEdit && <Tools alert={data} edit={edit} />}
    >
      {error && !data && <ErrorCard error={error} retry={refetch} what="this alert" />}
      {!data && !error && <SkeletonRows rows={4} />}
      {data && (
        <TimeProvider>
          <Band alert={data} />
          <div className={classes.detail}>
            <div className={classes.stack}>
              <AlertChart alert={data} />
              <Violating alert={data} />
              <WhatToDo alert={data} />
            </div>
            <div className={classes.stack}>
              <Incidents id={data.id} unit={data.worst?.unit ?? ""} />
              <Deliveries id={data.id} services={data.services} maxTries={data.max_tries} />
            </div>
          </div>
        </TimeProvider>
      )}
    </Page>
  );
}

function Tools({ alert: a, edit }: { alert: AlertDetail; edit: () => void }) {
  const navigate = useNavigate();
  const test = useChange(["alerts"], alerts.test);
  const remove = useChange(["alerts"], alerts.remove);
  const send = () =>
    test.mutate(a.id, {
      onSuccess: ({ results }) =>
        note(results.length === 0 ? "No service to tell." : results.map((r) => `${r.title}: ${r.answer}`).join("; ")),
      onError: (err) => note(err.message, { tone: "error" }),
    });
  return (
    <>
      <Button
        className={classes.optional ?? ""}
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
      <Menu
        label="More for this alert"
        items={[
          { label: "Send test", run: send },
          "line",
          {
            label: "Delete…",
            danger: true,
            run: () => {
              if (window.confirm(`Delete ${a.name}? Its incidents and deliveries go with it. This cannot be undone.`))
                remove.mutate(a.id, { onSuccess: () => void navigate({ to: "/alerts" }) });
            },
          },
        ]}
        target={(p) => (
          <IconButton label="More" {...p}>
            <IconDots size={17} stroke={1.6} />
          </IconButton>
        )}
      />
    </>
  );
}

/** The state, why in one sentence, and what can be done about it. */
function Band({ alert: a }: { alert: AlertDetail }) {
  const { canEdit } = useSession();
  const resume = useChange(["alerts"], alerts.resume);
  const snooze = a.snoozes[0];
  if (a.state === "firing")
    return (
      <Panel className={classes.band ?? ""} data-state="firing">
        <span className={classes.pill}>
          <IconBellRinging size={14} stroke={1.6} aria-hidden />{" "}
          {`Firing for ${duration(Math.max(60, Date.now() / 1000 - a.since))}`}
        </span>
        <span>
          {`since ${clock(a.since)} because `}
          <Sentence text={a.sentence} />
          {a.violating.length > 0 && ` on ${count(a.violating.length, "stream")}`}
        </span>
        {canEdit && <SnoozeMenu id={a.id} name={a.name} size="sm" />}
        {canEdit && <ResolveButton id={a.id} name={a.name} violating={a.violating.length > 0} filled />}
      </Panel>
    );
  if (a.state === "snoozed")
    return (
      <Panel className={classes.band ?? ""} data-state="snoozed">
        <StateIcon state="snoozed" />
        <span>{`Snoozed ${snooze?.until ? `until ${moment(snooze.until)}` : "until somebody resumes it"}${snooze?.by ? ` by ${snooze.by}` : ""}. Nobody is told.`}</span>
        {canEdit && (
          <Button variant="default" onClick={() => resume.mutate(a.id)}>
            Resume
          </Button>
        )}
      </Panel>
    );
  return (
    <Panel className={classes.band ?? ""} data-state={a.state}>
      <StateIcon state={a.state} />
      <span>
        {a.state === "inactive"
          ? "Inactive: it is not judged, and nobody is told. "
          : a.last_fired_at
            ? `OK. Last fired ${moment(a.last_fired_at)}. `
            : "OK. It has not fired yet. "}
        <span className="t2">
          <Sentence text={a.sentence} />
        </span>
      </span>
      {canEdit && a.state === "ok" && <SnoozeMenu id={a.id} name={a.name} size="sm" />}
    </Panel>
  );
}

function Violating({ alert: a }: { alert: AlertDetail }) {
  if (a.violating.length === 0) return null;
  const now = Date.now() / 1000;
  return (
    <Panel className={classes.box ?? ""}>
      <header>
        <h2>Violating streams</h2>
        <span className="t2">{a.violating.length}</span>
      </header>
      <table className={classes.dense}>
        <thead>
          <tr>
            <th>Stream</th>
            <th className={classes.right}>Now</th>
            <th className={classes.right}>Since</th>
            <th className={classes.right}>For</th>
          </tr>
        </thead>
        <tbody>
          {a.violating.slice(0, 50).map((v) => (
            <tr key={`${v.condition_violated} ${v.metric} ${v.stream}`}>
              <td className="mono">{v.stream || v.metric}</td>
              <td className={`num ${classes.right} ${classes.red}`}>{value(v.value, a.worst?.unit ?? "")}</td>
              <td className={`num ${classes.right}`}>{clock(v.since)}</td>
              <td className={`num ${classes.right}`}>{duration(Math.max(60, now - v.since))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function WhatToDo({ alert: a }: { alert: AlertDetail }) {
  const runbook = a.alert.attributes.runbook_url;
  if (!a.alert.description && !runbook) return null;
  return (
    <Panel className={classes.box ?? ""}>
      <header>
        <h2>What to do</h2>
        {runbook && /^https?:/.test(runbook) && (
          <a href={runbook} target="_blank" rel="noreferrer">
            Runbook <IconExternalLink size={14} stroke={1.6} aria-hidden />
          </a>
        )}
      </header>
      <p className="t2" style={{ margin: 0, whiteSpace: "pre-wrap" }}>
        {a.alert.description}
      </p>
      <Link to="/annotations/$name" params={{ name: "tidemark.alerts" }} className="t3">
        All of its history is in the annotations tidemark.alerts
      </Link>
    </Panel>
  );
}
