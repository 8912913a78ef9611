import { IconInfoCircle } from "@tabler/icons-react";
import type { Backtest } from "../../api/types.gen";
import { Panel } from "../../components/Panel";
import { TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { lasted, streamsInShort } from "../../lib/alertWords";
import { count, moment, value } from "../../lib/format";
import type { Zoom } from "./Backtest";
import classes from "./Backtest.module.css";

const most = 10;

type Props = {
  data: Backtest;
  unit: string;
  /** What the first condition is evaluated by, whose peak it is. */
  tag: string;
  /** What else would have fired how often. */
  instead?: string | undefined;
  onZoom: (z: Zoom) => void;
};

const columns = [
  { label: "Would have fired", width: "27%" },
  { label: "For", width: "24%" },
  { label: "Peak", width: "17%", right: true },
  { label: "Streams" },
];

/** The incidents that would have been, newest first. A click looks at one of them. */
export function BacktestIncidents({ data, unit, tag, instead, onZoom }: Props) {
  if (data.incidents.length === 0) return <div />;
  const shown = [...data.incidents].reverse().slice(0, most);
  const rest = data.fired - shown.length;
  return (
    <Panel>
      <table className={`${table.table} ${classes.would}`}>
        <TableHead columns={columns} />
        <tbody>
          {shown.map((i) => (
            <tr key={i.triggered_at}>
              <td>
                <button
                  type="button"
                  data-tip="Look at it"
                  onClick={() => onZoom(around(i.triggered_at, i.cleared_at || data.end))}
                >
                  {moment(i.triggered_at)}
                </button>
              </td>
              <td>
                {i.cleared_at ? (
                  lasted(i.triggered_at, i.cleared_at)
                ) : (
                  <span className={classes.on}>{`${lasted(i.triggered_at, data.end)}, still on`}</span>
                )}
              </td>
              <td className={`num ${table.right}`}>{value(i.peak, unit)}</td>
              <td className="mono cut" data-tip={i.streams.join("\n")}>
                {streamsInShort(i.streams, tag)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {instead && (
        <p className={classes.instead}>
          <IconInfoCircle size={15} stroke={1.6} aria-hidden />
          {instead}
        </p>
      )}
      {rest > 0 && <p className={classes.rest}>{`and ${count(rest, "time")} before that`}</p>}
    </Panel>
  );
}

/** An incident with as much time on both sides, at least an hour. */
function around(start: number, end: number): Zoom {
  const room = Math.max(3600, end - start);
  return { start: Math.floor(start - room), end: Math.ceil(Math.min(end + room, Date.now() / 1000)) };
}
