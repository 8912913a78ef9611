import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { alerts } from "../../api/alerts";
import { services } from "../../api/services";
import type { ObjectiveDetail } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { Field, Select } from "../../components/fields";
import { Panel } from "../../components/Panel";
import table from "../../components/table.module.css";
import { FormDialog } from "../../dialogs/FormDialog";
import { count, number, whole } from "../../lib/format";
import { burnAlert, burnState, burnWindow, notifyWords } from "../../lib/objectives";
import { useSession } from "../../shell/useSession";
import classes from "./Objectives.module.css";

/** How fast the budget burns, in pairs of windows, and who is notified of it. */
export function Burn({ detail }: { detail: ObjectiveDetail }) {
  return (
    <Panel className={classes.box ?? ""}>
      <h2>
        Burn rate <small>long and short window both over</small>
      </h2>
      <table className={`${table.table} ${classes.burn}`}>
        <thead>
          <tr>
            <th>Window</th>
            <th className={table.hide}>
              <span className="sr">Beside its limit</span>
            </th>
            <th className={table.right}>Now</th>
            <th className={table.right}>Limit</th>
            <th className={table.right}>
              <span className="sr">State</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {detail.status.burn.map((b) => (
            <tr key={b.long}>
              <td>{burnWindow(b)}</td>
              <td className={`${table.hide} ${classes.gaugeCell}`}>
                <span className={classes.gauge} data-burn={burnState(b)} aria-hidden>
                  <span style={{ width: `${Math.min(100, (200 / 3) * ((b.rate ?? 0) / b.limit))}%` }} />
                </span>
              </td>
              <td className={`num ${table.right}`}>
                <b>{b.rate === null ? "–" : number(b.rate)}</b>
              </td>
              <td className={`t2 num ${table.right}`}>{whole(b.limit)}</td>
              <td className={`t2 ${table.right}`} data-burn={burnState(b)}>
                {burnState(b)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <BurnAlerts detail={detail} />
    </Panel>
  );
}

/** The alerts on the burn rate, or the offer to make them. */
function BurnAlerts({ detail }: { detail: ObjectiveDetail }) {
  const { canEdit } = useSession();
  const [asking, setAsking] = useState(false);
  if (detail.alerts.length > 0)
    return (
      <p className={classes.alerts}>
        {`${notifyWords(detail.alerts)} Change:`}
        {detail.alerts.map((a) => (
          <Link key={a.id} to="/alerts/$id" params={{ id: String(a.id) }}>
            {a.name}
          </Link>
        ))}
      </p>
    );
  return (
    <div className={classes.alerts}>
      <p>Nobody is notified when the budget burns.</p>
      {canEdit && (
        <Button variant="default" size="xs" onClick={() => setAsking(true)}>
          Add burn alerts
        </Button>
      )}
      {asking && <AddAlerts detail={detail} close={() => setAsking(false)} />}
    </div>
  );
}

function AddAlerts({ detail, close }: { detail: ObjectiveDetail; close: () => void }) {
  const client = useQueryClient();
  const { data } = useQuery(services.list());
  const [fast, setFast] = useState("");
  const [slow, setSlow] = useState("");
  const options = [
    { value: "", label: "Nobody yet" },
    ...(data?.items ?? []).map((s) => ({ value: String(s.id), label: s.title ?? s.type })),
  ];
  const make = async () => {
    for (const b of detail.status.burn) {
      const service = b.long < 86_400 ? fast : slow;
      await alerts.create(burnAlert(detail.objective, b, service ? [Number(service)] : []));
    }
    await Promise.all(["objectives", "alerts"].map((key) => client.invalidateQueries({ queryKey: [key] })));
  };
  return (
    <FormDialog
      title="Add burn alerts"
      action={`Make ${count(detail.status.burn.length, "alert")}`}
      close={close}
      run={make}
    >
      {() => (
        <>
          <p>
            {`${detail.status.burn.map((b) => `over ${whole(b.limit)} in ${burnWindow(b)}`).join("; ")}. They are alerts as all others, and can be changed.`}
          </p>
          <Field label="The first two, critical, notify" hint="The budget is gone in hours or days.">
            {(id) => <Select id={id} options={options} value={fast} onChange={setFast} />}
          </Field>
          <Field label="The others, warnings, notify" hint="It is spent too soon, but not tonight.">
            {(id) => <Select id={id} options={options} value={slow} onChange={setSlow} />}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
