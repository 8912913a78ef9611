import { type ReactNode, useState } from "react";
import { devices, type Wanted } from "../api/devices";
import { useChange } from "../api/resource";
import { Button } from "../components/Button";
import { FormError } from "../components/problems";
import { whyNot } from "../push/subscription";
import { toast } from "../toasts/toast";
import classes from "./Devices.module.css";
import { WantedFields } from "./WantedFields";

type Props = {
  serverKey: string;
  title?: string;
  /** Of the title, below those of the page. */
  heading?: "h2" | "h3";
  /** What stands below the title. */
  lead?: ReactNode;
  /** What stands beside the button. */
  beside?: ReactNode;
};

/** Turns notifications on in this browser. It asks the person only now, on the click. */
export function TurnOn({ serverKey, title = "This device", heading: Heading = "h3", lead, beside }: Props) {
  const [wanted, setWanted] = useState<Wanted>({ severity: "all", cleared: false, labels: {}, quiet: null });
  const add = useChange(["devices"], devices.add, () => toast("You are notified on this device now."));
  const no = whyNot();
  return (
    <section className={classes.card} aria-labelledby="this-device">
      <Heading id="this-device">{title}</Heading>
      {lead}
      {no ? (
        <p className="t2">{no}</p>
      ) : (
        <>
          <WantedFields wanted={wanted} onChange={(change) => setWanted({ ...wanted, ...change })} />
          <div className={classes.buttons}>
            <Button loading={add.isPending} onClick={() => add.mutate({ ...wanted, key: serverKey })}>
              Turn on notifications
            </Button>
            {beside}
          </div>
          {add.error && <FormError error={add.error} />}
          <p className={classes.note}>Your browser asks once more. Change it any time under Your notifications.</p>
        </>
      )}
    </section>
  );
}
