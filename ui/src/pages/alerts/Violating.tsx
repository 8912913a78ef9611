import type { AlertDetail, Violation } from "../../api/alerts";
import { type Line, lastValue } from "../../chart/data";
import { colorOf } from "../../chart/palette";
import { useScheme } from "../../chart/useScheme";
import { Panel } from "../../components/Panel";
import { shortMoment } from "../../lib/alertWords";
import { duration, value } from "../../lib/format";
import classes from "./Alert.module.css";
import parts from "./parts.module.css";

const most = 50;

/** "a=1,b=2": how violations name a stream. */
const streamName = (tags: Record<string, string>) =>
  Object.entries(tags)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${k}=${v}`)
    .join(",");

const words = { above: "Over since", below: "Under since", absent: "Silent since" };

/** The streams that are beyond the threshold, or silent, with what they are now. */
export function Violating({ alert: a, lines, unit }: { alert: AlertDetail; lines: Line[]; unit: string }) {
  if (a.violating.length === 0) return null;
  const kind = a.alert.conditions[0]?.type ?? "above";
  const all = lines.length > a.violating.length ? ` of ${lines.length}` : "";
  return (
    <Panel className={classes.box ?? ""}>
      <header>
        <h2>Violating streams</h2>
        <span className="t3">{`${a.violating.length}${all}`}</span>
      </header>
      <table className={classes.dense}>
        <thead>
          <tr>
            <th>Stream</th>
            {kind !== "absent" && <th className={classes.right}>Now</th>}
            <th className={classes.right}>{kind === "absent" ? "Last seen" : words[kind]}</th>
            <th className={classes.right}>For</th>
          </tr>
        </thead>
        <tbody>
          {a.violating.slice(0, most).map((v) => (
            <Row
              key={`${v.condition_violated} ${v.metric} ${v.stream}`}
              violation={v}
              absent={kind === "absent"}
              line={lines.find((l) => streamName(l.tags) === v.stream)}
              unit={unit}
            />
          ))}
        </tbody>
      </table>
      {a.violating.length > most && <p className="t3">{`and ${a.violating.length - most} more`}</p>}
    </Panel>
  );
}

type RowProps = { violation: Violation; absent: boolean; line: Line | undefined; unit: string };

function Row({ violation: v, absent, line, unit }: RowProps) {
  const scheme = useScheme();
  const now = Date.now() / 1000;
  const since = absent ? v.recorded_at : v.since;
  return (
    <tr>
      <td>
        <span className={classes.stream}>
          {line && <i style={{ background: colorOf(line.paint, scheme) }} />}
          <span className="mono">{v.stream || v.metric}</span>
        </span>
      </td>
      {!absent && (
        <td className={`num ${classes.right} ${parts.red}`}>
          {value((line && lastValue(line.values, true)) ?? v.value, unit)}
        </td>
      )}
      <td className={`num ${classes.right}`}>{shortMoment(since, now)}</td>
      <td className={`num t2 ${classes.right}`}>{duration(Math.max(60, now - since))}</td>
    </tr>
  );
}
