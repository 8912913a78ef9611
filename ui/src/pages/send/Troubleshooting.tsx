import { CopyButton } from "../../components/CopyButton";
import { Panel } from "../../components/Panel";
import classes from "./Send.module.css";

/** What usually stands between an agent and the server, with the exact command to try. */
export function Troubleshooting({ server }: { server: string }) {
  const url = new URL(server);
  const plain = url.protocol === "http:";
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  const command = `curl -sS -i ${server}/v1/metrics`;
  return (
    <Panel className={classes.nothing ?? ""}>
      <p>
        Run this where the agent runs. An answer of <b>401</b> means that the address is right and only the token is
        missing.
      </p>
      <div className={classes.command}>
        <code className="mono">{command}</code>
        <CopyButton text={command} label="Copy" />
      </div>
      <dl>
        <dt>Address</dt>
        <dd>
          {local
            ? `${url.host} is reachable from this machine only. Start the server with --listen 0.0.0.0:8433, or send through a proxy.`
            : `“Could not resolve host” or “Connection refused”: ${url.host} is not reached from there.`}
        </dd>
        <dt>TLS</dt>
        <dd>
          {plain
            ? "This server speaks plain HTTP. An agent that insists on https:// gets no further than the handshake."
            : "“certificate” in the message: the agent does not trust the server’s certificate. Give it the authority that signed it."}
        </dd>
        <dt>Clock</dt>
        <dd>
          Measurements with a time far from now are refused or land outside the range you look at. Compare `date -u`.
        </dd>
        <dt>Proxy</dt>
        <dd>A proxy in between must pass the header Authorization on, and bodies of several megabytes.</dd>
        <dt>Firewall</dt>
        <dd>
          If curl hangs until it times out, something drops the packets: allow port {url.port || (plain ? "80" : "443")}
          .
        </dd>
      </dl>
    </Panel>
  );
}
