import { useQuery } from "@tanstack/react-query";
import { devices } from "../../api/devices";
import { ErrorCard } from "../../components/problems";
import { SkeletonRows } from "../../components/Skeleton";
import classes from "../../components/settingsPages.module.css";
import table from "../../components/table.module.css";
import { TurnOn } from "../../devices/TurnOn";
import { useSession } from "../../shell/useSession";
import { DeviceRow } from "./notifications/DeviceRow";
import { SettingsHead } from "./SettingsHead";

/** On which devices you are notified of alerts, and of which. */
export function NotificationsPage() {
  const { org } = useSession();
  const { data, error, refetch } = useQuery(devices.list);
  const { data: own } = useQuery(devices.own);
  const here = data?.devices.find((d) => d.fingerprint === own);
  return (
    <>
      <SettingsHead
        title="Your notifications"
        lead={`Be notified on your phone and in your browser when an alert of ${org.name} fires, also while Tidemark is closed.`}
      />
      {error && <ErrorCard error={error} retry={refetch} what="your devices" />}
      {!data && !error && <SkeletonRows rows={2} height={54} />}
      {data && own !== undefined && !here && <TurnOn serverKey={data.key} />}
      {data && data.devices.length > 0 && (
        <>
          <div className={classes.section}>
            <h3>Your devices</h3>
          </div>
          <div className={`${table.panel} ${classes.list}`}>
            {data.devices.map((d) => (
              <DeviceRow key={d.id} device={d} here={d === here} />
            ))}
          </div>
        </>
      )}
    </>
  );
}
