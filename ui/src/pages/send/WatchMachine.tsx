import { IconCheck, IconDeviceDesktopAnalytics } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { CopyButton } from "../../components/CopyButton";
import { Panel } from "../../components/Panel";
import { withPrefix } from "../../lib/prefix";
import classes from "./Send.module.css";

/** The one line that lets the agent watch a machine. */
export const agentCommand = (server: string, token: string) =>
  `curl -fsSL ${server}/agent.sh | sh -s -- --token ${token}`;

/** The quickest way to a first measurement: the machine that this page is read on. */
export function WatchMachine({ server, token }: { server: string; token: string }) {
  const command = agentCommand(server, token);
  return (
    <Panel className={classes.watch ?? ""} aria-label="Watch this machine">
      <div className={classes.watchHead}>
        <IconDeviceDesktopAnalytics size={18} stroke={1.6} aria-hidden />
        <h2>Watch this machine</h2>
        <small>processor, memory, disks, network, processes</small>
      </div>
      <div className={classes.command}>
        <code className="mono">{command}</code>
        <CopyButton text={command} label="Copy" />
      </div>
      <ul className={classes.facts}>
        <Fact>Linux, no root needed</Fact>
        <Fact>sends every 10 s</Fact>
        <Fact>
          remove with <span className="mono">sh -s -- remove</span>
        </Fact>
        <li>
          <a href={withPrefix("/agent.sh")} target="_blank" rel="noreferrer">
            Read the script
          </a>
        </li>
      </ul>
    </Panel>
  );
}

function Fact({ children }: { children: ReactNode }) {
  return (
    <li>
      <IconCheck size={14} stroke={1.8} aria-hidden /> <span>{children}</span>
    </li>
  );
}
