import { useEffect, useState } from "react";
import { LiveDot, Panel } from "../../../components/parts";
import { agentName } from "../../../lib/tokenHints";
import own from "./Tokens.module.css";

type Seen = {
  at: number;
  user_agent: string;
  sender: string;
  status: number;
  method: string;
  path: string;
  reason: string;
};

/** Watches for the first request with a token, and says how it went. */
export function Waiting({ token }: { token: number }) {
  const [seen, setSeen] = useState<Seen>();
  useEffect(() => {
    const source = new EventSource(`/ui/api/tokens/${token}/watch`);
    source.addEventListener("request", (e) => setSeen(JSON.parse((e as MessageEvent<string>).data) as Seen));
    return () => source.close();
  }, [token]);
  return (
    <Panel className={own.wait ?? ""} role="status">
      <LiveDot state={seen && seen.status >= 400 ? "late" : "live"} />
      <Verdict seen={seen} />
      {!seen && <Elapsed />}
    </Panel>
  );
}

function Verdict({ seen }: { seen: Seen | undefined }) {
  if (!seen)
    return (
      <span style={{ flex: 1 }}>
        <b>Waiting for the first request with this token</b>
        <span className="t2"> · this page notices by itself</span>
      </span>
    );
  if (seen.status < 400)
    return (
      <span style={{ flex: 1 }}>
        <b>Works.</b> First request from {seen.sender} ({agentName(seen.user_agent)}) just now.
      </span>
    );
  return (
    <span style={{ flex: 1, color: "var(--tm-red)" }}>
      A request came with this token but was refused: {seen.status}, {seen.method} {seen.path}: {seen.reason}
    </span>
  );
}

function Elapsed() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => setSeconds((n) => n + 1), 1000);
    return () => window.clearInterval(timer);
  }, []);
  return <span className="t3 num">{`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`}</span>;
}
