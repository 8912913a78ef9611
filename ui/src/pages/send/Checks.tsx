import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { MeasurementActivity, RequestActivity, TokenSummary } from "../../api/ui.gen";
import { LiveDot } from "../../components/LiveDot";
import { Panel } from "../../components/Panel";
import { useElapsed } from "../../components/useElapsed";
import { type Check, refusal, senderOf, sends } from "../../lib/arrivals";
import { useSession } from "../../shell/useSession";
import classes from "./Send.module.css";
import { Troubleshooting } from "./Troubleshooting";
import { useKnownTokens } from "./useKnownTokens";

type Props = { request: RequestActivity | undefined; measurement: MeasurementActivity | undefined };

/** Three checks, one after the other; each says in place why it is not met. */
export function Checks({ request, measurement }: Props) {
  const { server, version } = useSession();
  const [help, setHelp] = useState(false);
  const stored = measurement !== undefined;
  const known = useKnownTokens();
  const seen = requestCheck(request, stored, known);
  return (
    <>
      <Panel className={classes.checks ?? ""}>
        <Row title="Server answers" check={{ state: "done", text: `${new URL(server).host}, version ${version}` }} />
        <Row title="First request seen" check={seen}>
          {seen.state === "now" && <Elapsed />}
          {!stored && (
            <button type="button" className={classes.help} aria-expanded={help} onClick={() => setHelp(!help)}>
              Nothing arriving?
            </button>
          )}
        </Row>
        <Row title="First measurement stored" check={storedCheck(request, measurement)} />
      </Panel>
      {help && !stored && <Troubleshooting server={server} />}
    </>
  );
}

function requestCheck(request: RequestActivity | undefined, stored: boolean, known: TokenSummary[]): Check {
  if (request && request.status < 400)
    return { state: "done", text: `${request.method} ${request.path} from ${senderOf(request)}` };
  if (stored) return { state: "done", text: "" };
  if (request && (request.status === 401 || request.status === 403))
    return { state: "wrong", text: refusal(request, known) };
  if (request) return { state: "done", text: `From ${senderOf(request)}` };
  return { state: "now", text: "No request with this token yet." };
}

function storedCheck(request: RequestActivity | undefined, measurement: MeasurementActivity | undefined): Check {
  if (measurement) return { state: "done", text: measurement.name };
  if (!request || request.status === 401 || request.status === 403) return { state: "later", text: "" };
  if (request.status >= 400) return { state: "wrong", text: refusal(request) };
  if (!sends(request)) return { state: "now", text: "That request did not send measurements." };
  return { state: "now", text: "It was read; on its way to the disk." };
}

function Row({ title, check, children }: { title: string; check: Check; children?: ReactNode }) {
  return (
    <div className={classes.check} data-state={check.state}>
      <span className={classes.mark}>
        {check.state === "done" && <IconCheck size={14} stroke={2.2} aria-label="Done" />}
        {check.state === "wrong" && <IconAlertTriangle size={15} stroke={1.8} aria-label="Problem" />}
        {check.state === "now" && <LiveDot state="live" />}
        {check.state === "later" && <LiveDot state="paused" />}
      </span>
      <b>{title}</b>
      <span className={classes.fact} role={check.state === "wrong" ? "alert" : undefined}>
        {check.text}
      </span>
      {children}
    </div>
  );
}

function Elapsed() {
  return <span className={`num ${classes.elapsed}`}>{`Running for ${useElapsed()}.`}</span>;
}
