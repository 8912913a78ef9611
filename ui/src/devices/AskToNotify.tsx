import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { devices } from "../api/devices";
import { Button } from "../components/Button";
import { Mark } from "../components/Mark";
import { mayAsk, notNow } from "./ask";
import classes from "./Devices.module.css";
import { TurnOn } from "./TurnOn";

/**
 * Offers notifications on a phone on which nobody decided yet. It stands in the
 * page and covers nothing: whoever looks at alerts has come for those.
 */
export default function AskToNotify({ example }: { example: string }) {
  const [asks, setAsks] = useState(mayAsk);
  const { data: own } = useQuery({ ...devices.own, enabled: asks });
  const { data } = useQuery({ ...devices.list, enabled: asks && own === "" });
  if (!asks || own !== "" || !data) return null;
  const dismiss = () => {
    notNow();
    setAsks(false);
  };
  return (
    <TurnOn
      serverKey={data.key}
      title="Be notified on this phone?"
      heading="h2"
      lead={<Example alert={example} />}
      beside={
        <Button variant="subtle" onClick={dismiss}>
          Not now
        </Button>
      }
    />
  );
}

/** What a notification looks like, with an alert that people know. */
const Example = ({ alert }: { alert: string }) => (
  <>
    <p className="t2">Tidemark then tells you when an alert that notifies you fires, also when it is closed.</p>
    <div className={classes.example} role="img" aria-label={`A notification: ${alert} fired. Acknowledge, or snooze.`}>
      <Mark size={32} />
      <span>
        <small>now</small>
        <b>{`${alert} fired`}</b>
        <em>Acknowledge</em> <em>Snooze 1 h</em>
      </span>
    </div>
  </>
);
