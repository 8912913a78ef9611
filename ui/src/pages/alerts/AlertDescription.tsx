import { IconExternalLink } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { AlertDetail } from "../../api/ui.gen";
import { Panel } from "../../components/Panel";
import { Prose } from "../../components/Prose";
import { linkProblem } from "../../lib/link";
import classes from "./Alert.module.css";

/** What the author wants the woken one to know, and where to read on. */
export function AlertDescription({ alert: a }: { alert: AlertDetail }) {
  const runbook = a.alert.attributes.runbook_url;
  const link = runbook && linkProblem(runbook) === undefined ? runbook : undefined;
  return (
    <Panel className={classes.box ?? ""}>
      <header>
        <h2>What to do</h2>
        {link && (
          <a href={link} target="_blank" rel="noreferrer" className={classes.runbook}>
            Runbook <IconExternalLink size={14} stroke={1.6} aria-hidden />
          </a>
        )}
      </header>
      {runbook && !link && (
        <p className={`t2 ${classes.description}`}>
          Runbook: <span className="mono">{runbook}</span>
        </p>
      )}
      {a.alert.description ? (
        <Prose text={a.alert.description} />
      ) : (
        <p className="t3">
          {"Nobody wrote it down yet. "}
          <Link to="/alerts/$id/edit" params={{ id: String(a.id) }}>
            Add a description
          </Link>
        </p>
      )}
    </Panel>
  );
}
