import type { Condition } from "../../api/types";
import type { AlertDetail, ViolatingStream } from "../../api/ui.gen";
import { type Line, lastValue } from "../../chart/data";
import { colorOf } from "../../chart/palette";
import { useScheme } from "../../chart/useScheme";
import { Panel } from "../../components/Panel";
import { TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { shortMoment, violationKey } from "../../lib/alertWords";
import { duration, value, whole } from "../../lib/format";
import classes from "./Alert.module.css";
import parts from "./parts.module.css";

const most = 50;

/** "a=1,b=2": how violations name a stream. */
const streamName = (tags: Record<string, string>) =>
  Object.entries(tags)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${k}=${v}`)
    .join(",");

const words = { above: "Over since", below: "Under since", absent: "Last seen" };

/** On a phone, since when and for how long stand under the stream. */
const columns = (kind: Condition["type"]) => [
  { label: "Stream" },
  ...(kind === "absent" ? [] : [{ label: "Now", right: true }]),
  { label: words[kind], right: true, wide: true },
  { label: "For", right: true, wide: true },
];

/** The streams that are beyond the threshold, or silent, with what they are now. */
export function Violating({ alert: a, lines, unit }: { alert: AlertDetail; lines: Line[]; unit: string }) {
  if (a.violating.length === 0) return null;
  const kind = a.alert.conditions[0]?.type ?? "above";
  const all = lines.length > a.violating.length ? ` of ${whole(lines.length)}` : "";
  return (
    <Panel className={classes.box ?? ""}>
      <header>
        <h2>Violating streams</h2>
        <span className="t3">{`${whole(a.violating.length)}${all}`}</span>
      </header>
      <table className={classes.dense}>
        <TableHead columns={columns(kind)} quiet={kind === "absent"} />
        <tbody>
          {a.violating.slice(0, most).map((v) => (
            <Row
              key={violationKey(v)}
              violation={v}
              kind={kind}
              line={lines.find((l) => streamName(l.tags) === v.stream)}
              unit={unit}
            />
          ))}
        </tbody>
      </table>
      {a.violating.length > most && <p className="t3">{`and ${whole(a.violating.length - most)} more`}</p>}
    </Panel>
  );
}

type RowProps = { violation: ViolatingStream; kind: Condition["type"]; line: Line | undefined; unit: string };

function Row({ violation: v, kind, line, unit }: RowProps) {
  const scheme = useScheme();
  const now = Date.now() / 1000;
  const since = kind === "absent" ? v.recorded_at : v.since;
  const lasted = duration(Math.max(60, now - since));
  return (
    <tr>
      <td>
        <span className={classes.stream}>
          {line && <i style={{ background: colorOf(line.paint, scheme) }} />}
          <span className="mono">{v.stream || v.metric}</span>
        </span>
        <div className={`t2 ${table.only}`}>{`${words[kind].toLowerCase()} ${shortMoment(since, now)}, ${lasted}`}</div>
      </td>
      {kind !== "absent" && (
        <td className={`num ${classes.right} ${parts.red}`}>
          {value((line && lastValue(line.values, true)) ?? v.value, unit)}
        </td>
      )}
      <td className={`num ${classes.right} ${table.hide}`}>{shortMoment(since, now)}</td>
      <td className={`num t2 ${classes.right} ${table.hide}`}>{lasted}</td>
    </tr>
  );
}
