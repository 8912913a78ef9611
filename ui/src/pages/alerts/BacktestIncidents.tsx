import { IconInfoCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Backtest } from "../../api/types.gen";
import { Panel } from "../../components/Panel";
import { TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { lasted, streamsInShort } from "../../lib/alertWords";
import { knownAs } from "../../lib/band";
import { count, moment, value } from "../../lib/format";
import type { Zoom } from "./Backtest";
import classes from "./Backtest.module.css";

const most = 10;

type Incident = Backtest["incidents"][number];

type Props = {
  data: Backtest;
  unit: string;
  /** What is measured, where the first condition is a band; its peak is in spreads. */
  band?: { unit: string; furthest: string } | undefined;
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
const bandColumns = (furthest: string) => [
  { label: "Would have fired", width: "25%" },
  { label: "For", width: "18%" },
  { label: furthest, width: "15%", right: true },
  { label: "Usual then", width: "15%", right: true },
  { label: "Known as" },
];

/** The incidents that would have been, newest first. A click looks at one of them. */
export function BacktestIncidents({ data, unit, band, tag, instead, onZoom }: Props) {
  if (data.incidents.length === 0) return <div />;
  const shown = [...data.incidents].reverse().slice(0, most);
  const rest = data.fired - shown.length;
  return (
    <Panel>
      <table className={`${table.table} ${classes.would}`} data-band={band !== undefined}>
        <TableHead columns={band ? bandColumns(band.furthest) : columns} />
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
              {band ? <OfBand incident={i} unit={band.unit} /> : <OfStreams incident={i} unit={unit} tag={tag} />}
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

function OfStreams({ incident: i, unit, tag }: { incident: Incident; unit: string; tag: string }) {
  return (
    <>
      <td className={`num ${table.right}`}>{value(i.peak, unit)}</td>
      <td className="mono cut" data-tip={i.streams.join("\n")}>
        {streamsInShort(i.streams, tag)}
      </td>
    </>
  );
}

/** What was measured, what would have been usual, and whether anybody was told. */
function OfBand({ incident: i, unit }: { incident: Incident; unit: string }) {
  return (
    <>
      <td className={`num ${table.right}`} data-tip={i.streams.join("\n")}>
        {value(i.band?.measured, unit)}
      </td>
      <td className={`num ${table.right}`}>{value(i.band?.usual, unit)}</td>
      <td className={classes.known}>
        {i.known_as ? (
          // The draft stays: it is not saved yet.
          <Link to="/alerts/$id" params={{ id: String(i.known_as.alert_id) }} target="_blank">
            {knownAs(i)}
          </Link>
        ) : (
          knownAs(i)
        )}
      </td>
    </>
  );
}

/** An incident with as much time on both sides, at least an hour. */
function around(start: number, end: number): Zoom {
  const room = Math.max(3600, end - start);
  return { start: Math.floor(start - room), end: Math.ceil(Math.min(end + room, Date.now() / 1000)) };
}
