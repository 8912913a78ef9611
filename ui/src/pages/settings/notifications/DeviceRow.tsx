import { devices } from "../../../api/devices";
import { useChange } from "../../../api/resource";
import type { Device } from "../../../api/ui.gen";
import { Button } from "../../../components/Button";
import { RelativeTime } from "../../../components/RelativeTime";
import settings from "../../../components/settingsPages.module.css";
import { WantedFields } from "../../../devices/WantedFields";
import { toast } from "../../../toasts/toast";
import classes from "./Notifications.module.css";

/** One of your devices: what it is notified of, a test, and its end. */
export function DeviceRow({ device: d, here }: { device: Device; here: boolean }) {
  const change = useChange(["devices"], devices.change);
  const remove = useChange(["devices"], devices.remove, () => toast(`${d.name} is removed.`));
  // A device that is gone is removed by its test.
  const test = useChange(["devices"], devices.test, ({ ok, answer }) =>
    ok
      ? toast(`A test is on its way to ${d.name}.`)
      : toast(`${d.name} could not be notified: ${answer}`, { tone: "error" }),
  );
  const failed = (err: Error) => toast(err.message, { tone: "error" });
  return (
    <div className={classes.device} role="group" aria-label={d.name}>
      <div>
        <b>{d.name}</b>
        {here && <span className={settings.mark}>this one</span>}
        <div className="t2">
          added <RelativeTime at={d.created_at} />
        </div>
      </div>
      <WantedFields wanted={d} onChange={(wanted) => change.mutate({ id: d.id, ...wanted }, { onError: failed })} />
      <div className={classes.tools}>
        <Button
          variant="default"
          size="xs"
          loading={test.isPending}
          onClick={() => test.mutate(d.id, { onError: failed })}
        >
          Send a test
        </Button>
        <Button
          variant="subtle"
          size="xs"
          loading={remove.isPending}
          onClick={() => remove.mutate(d.id, { onError: failed })}
        >
          Remove
        </Button>
      </div>
    </div>
  );
}
