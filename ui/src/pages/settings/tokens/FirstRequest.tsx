import { useEffect, useState } from "react";
import { tokens } from "../../../api/tokens";
import type { RequestActivity } from "../../../api/ui.gen";
import { LiveDot } from "../../../components/LiveDot";
import { Panel } from "../../../components/Panel";
import { useElapsed } from "../../../components/useElapsed";
import { agentName } from "../../../lib/tokenHints";
import own from "./Tokens.module.css";

/** Watches for the first request with a token, and says how it went. */
export function FirstRequest({ token }: { token: number }) {
  const [seen, setSeen] = useState<RequestActivity>();
  useEffect(
    // What worked stays said; a refusal gives way to what comes after it.
    () => tokens.watch(token, (now) => setSeen((old) => (old && old.status < 400 ? old : now))),
    [token],
  );
  return (
    <Panel className={own.wait ?? ""} role="status" data-seen={seen && (seen.status < 400 ? "works" : "refused")}>
      <LiveDot state={seen && seen.status >= 400 ? "late" : "live"} />
      <Verdict seen={seen} />
      {!seen && <Elapsed />}
    </Panel>
  );
}

function Verdict({ seen }: { seen: RequestActivity | undefined }) {
  if (!seen)
    return (
      <span>
        <b>Waiting for the first request with this token</b>
        <span className="t2"> · this page notices by itself</span>
      </span>
    );
  if (seen.status < 400)
    return (
      <span>
        <b>Works.</b> First request from {seen.sender} ({agentName(seen.user_agent) || "no user agent"}) just now.
      </span>
    );
  return (
    <span>
      {`A request came with this token but was refused: ${seen.status}, ${seen.method} ${seen.path} `}
      {seen.needs ? `needs ${seen.needs}.` : `says: ${seen.reason}`}
    </span>
  );
}

function Elapsed() {
  const said = useElapsed();
  return (
    <span className="t3 num" aria-hidden>
      {said}
    </span>
  );
}
