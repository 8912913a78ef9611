import { useState } from "react";
import { devices, type Wanted } from "../../../api/devices";
import { useChange } from "../../../api/resource";
import { Button } from "../../../components/Button";
import { FormError } from "../../../components/problems";
import { whyNot } from "../../../push/subscription";
import { toast } from "../../../toasts/toasts";
import classes from "./Notifications.module.css";
import { WantedFields } from "./WantedFields";

/** Turns notifications on in this browser. It asks the person only now, on the click. */
export function TurnOn({ serverKey }: { serverKey: string }) {
  const [wanted, setWanted] = useState<Wanted>({ severity: "all", cleared: false });
  const add = useChange(["devices"], devices.add, () => toast("You are notified on this device now."));
  const no = whyNot();
  return (
    <section className={classes.card} aria-labelledby="this-device">
      <h3 id="this-device">This device</h3>
      {no ? (
        <p className="t2">{no}</p>
      ) : (
        <>
          <WantedFields wanted={wanted} onChange={(change) => setWanted({ ...wanted, ...change })} />
          <Button loading={add.isPending} onClick={() => add.mutate({ ...wanted, key: serverKey })}>
            Turn on notifications
          </Button>
          {add.error && <FormError error={add.error} />}
          <p className={classes.note}>Your browser asks once more. Change it any time here.</p>
        </>
      )}
    </section>
  );
}
