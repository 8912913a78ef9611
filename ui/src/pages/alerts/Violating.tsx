import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { alerts } from "../../api/alerts";
import type { AlertDetail } from "../../api/ui.gen";
import type { Line } from "../../chart/data";
import { colorOf } from "../../chart/palette";
import { useScheme } from "../../chart/useScheme";
import { Panel } from "../../components/Panel";
import { TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { shortMoment } from "../../lib/alertWords";
import { duration, value, whole } from "../../lib/format";
import { called, type IncidentStream, tellingTags, tookPart, violatingStreams } from "../../lib/violating";
import classes from "./Alert.module.css";
import parts from "./pillsAndLinks.module.css";

/** As many rows are shown at first, and more with each press. */
const page = 50;

type Props = { alert: AlertDetail; lines: Line[]; unit: string; shown: number | undefined };

/** The streams of the incident that is shown: those that violate now, or those that took part. */
export function Violating({ alert: a, lines, unit, shown }: Props) {
  const over = shown !== undefined && shown !== a.incident_id;
  const { data } = useQuery({ ...alerts.incident(shown ?? 0), enabled: over });
  if (!over)
    return <Streams title="Violating streams" alert={a} streams={violatingStreams(a, lines)} all={lines.length} />;
  if (!data?.incident) return null;
  return <Streams title="Streams that took part" alert={a} streams={tookPart(a, data.incident, lines, unit)} over />;
}

const beginnings = { above: "Over since", below: "Under since", absent: "Last seen" };

type StreamsProps = { title: string; alert: AlertDetail; streams: IncidentStream[]; all?: number; over?: boolean };

function Streams({ title, alert: a, streams, all = 0, over = false }: StreamsProps) {
  const [most, setMost] = useState(page);
  if (streams.length === 0) return null;
  const kind = a.alert.conditions[0]?.type ?? "above";
  const tags = tellingTags(streams);
  const values = kind !== "absent" || streams.some((s) => !s.silent);
  // On a phone, since when and for how long stand under the stream.
  const columns = [
    { label: tags.join(", ") || "Stream" },
    ...(values && !over ? [{ label: "Now", right: true }] : []),
    ...(values ? [{ label: "Peak", right: true, wide: !over }] : []),
    { label: beginnings[kind], right: true, wide: true },
    ...(over ? [] : [{ label: "For", right: true, wide: true }]),
  ];
  return (
    <Panel className={classes.box ?? ""} aria-label={title}>
      <header>
        <h2>
          {title}
          {tags.length > 0 && (
            <span
              className={classes.unit}
            >{`only the ${tags.length > 1 ? "tags that differ" : "tag that differs"}`}</span>
          )}
        </h2>
        <span className="t3">{`${whole(streams.length)}${all > streams.length ? ` of ${whole(all)}` : ""}`}</span>
      </header>
      <table className={`${table.table} ${classes.dense}`}>
        <TableHead columns={columns} quiet={!values} />
        <tbody>
          {streams.slice(0, most).map((s) => (
            <Row key={s.key} stream={s} name={called(s, tags)} values={values} over={over} begin={beginnings[kind]} />
          ))}
        </tbody>
      </table>
      {streams.length > most && (
        <button type="button" className={classes.rest} onClick={() => setMost(most + page)}>
          {`Show ${whole(Math.min(page, streams.length - most))} of ${whole(streams.length - most)} more`}
        </button>
      )}
    </Panel>
  );
}

type RowProps = { stream: IncidentStream; name: string; values: boolean; over: boolean; begin: string };

function Row({ stream: s, name, values, over, begin }: RowProps) {
  const scheme = useScheme();
  const now = Date.now() / 1000;
  const lasted = duration(Math.max(60, now - s.since));
  const right = `num ${table.right} ${classes.right}`;
  const brief = [
    `${begin.toLowerCase()} ${shortMoment(s.since, now)}`,
    !over && lasted,
    !over && !s.silent && `peak ${value(s.peak, s.unit)}`,
  ];
  return (
    <tr>
      <td>
        <span className={classes.stream}>
          {s.line && <i style={{ background: colorOf(s.line.paint, scheme) }} />}
          <span className="mono" title={s.name}>
            {name}
          </span>
          {s.joined && <span className={`t3 ${classes.joined}`}>joined later</span>}
        </span>
        <div className={`t2 ${table.only}`}>{brief.filter(Boolean).join(", ")}</div>
      </td>
      {values && !over && (
        <td className={`${right} ${parts.red}`}>{s.now === undefined ? "silent" : value(s.now, s.unit)}</td>
      )}
      {values && (
        <td className={over ? right : `${right} t2 ${table.hide}`}>{s.silent ? "–" : value(s.peak, s.unit)}</td>
      )}
      <td className={`${right} ${table.hide}`}>{shortMoment(s.since, now)}</td>
      {!over && <td className={`${right} t2 ${table.hide}`}>{lasted}</td>}
    </tr>
  );
}
