import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { devices } from "../api/devices";
import { Button } from "../components/Button";
import { mayAsk, notNow } from "./ask";
import { TurnOn } from "./TurnOn";

/**
 * Offers notifications on a phone on which nobody decided yet. It stands in the
 * page and covers nothing: whoever looks at alerts has come for those.
 */
export default function AskToNotify() {
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
      beside={
        <Button variant="subtle" onClick={dismiss}>
          Not now
        </Button>
      }
    />
  );
}
