import { useState } from "react";
import { alerts } from "../../api/alerts";
import { useChange } from "../../api/resource";
import { Button } from "../../components/Button";
import { Modal } from "../../components/overlays";
import { toast } from "../../toasts/toast";
import classes from "./pillsAndLinks.module.css";
import { useSnooze } from "./Snooze";

type Props = {
  alert: { id: number; name: string };
  violating: boolean;
  size?: "xs" | "sm";
};

/** Ends an incident by hand. While it still violates, it says that it will fire again. */
export function ResolveButton({ alert, violating, size = "xs" }: Props) {
  const resolve = useChange(["alerts"], alerts.resolve, () => toast(`${alert.name} is resolved.`));
  const snooze = useSnooze(alert);
  const [asking, setAsking] = useState(false);
  const run = () => {
    setAsking(false);
    resolve.mutate(alert.id, { onError: (err) => toast(err.message, { tone: "error" }) });
  };
  const instead = () => {
    setAsking(false);
    snooze.hours(1);
  };
  return (
    <>
      <Button
        variant="default"
        size={size}
        loading={resolve.isPending}
        onClick={() => (violating ? setAsking(true) : run())}
      >
        Resolve
      </Button>
      <Modal opened={asking} onClose={() => setAsking(false)} title={`Resolve ${alert.name}?`}>
        <p className="t2">Still violating. It fires again with the next such measurement.</p>
        <div className={classes.actions}>
          <Button variant="default" onClick={instead}>
            Snooze instead
          </Button>
          <Button data-autofocus onClick={run}>
            Resolve
          </Button>
        </div>
      </Modal>
    </>
  );
}
