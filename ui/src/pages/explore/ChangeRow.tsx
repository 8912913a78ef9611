import { IconDots } from "@tabler/icons-react";
import type { ChangedStream } from "../../api/ui.gen";
import type { Cell } from "../../chart/data";
import { Sparkline } from "../../chart/Sparkline";
import { IconButton } from "../../components/controls";
import { Menu } from "../../components/Menu";
import tables from "../../components/table.module.css";
import { type Brush, beginsWords, changeWords } from "../../lib/explore";
import { duration, value } from "../../lib/format";
import { searchOf } from "../../lib/question";
import { useAlertOn } from "../../lib/useAlertOn";
import { useSession } from "../../shell/useSession";
import type { Window } from "../../time/range";
import classes from "./Explore.module.css";
import { FitBar } from "./FitBar";
import type { Queries } from "./useQueries";
import { asStream } from "./useSparks";

type Props = {
  at: number;
  stream: ChangedStream;
  step: number;
  brush: Brush;
  window: Window;
  values: Cell[] | undefined;
  all: Queries;
  onLeaveOut: () => void;
};

/** A stream that changed: from what to what, and when it began to. */
export function ChangeRow({ at, stream: s, step, brush, window: w, values, all, onLeaveOut }: Props) {
  const { canEdit } = useSession();
  const alertOn = useAlertOn();
  const unit = s.rate ? `${s.unit}/s` : s.unit;
  const search = searchOf(asStream(s));
  const tags = Object.entries(s.tags).map(([k, v]) => `${k}=${v}`);
  const percent = (t: number) => Math.min(100, Math.max(0, ((t - w.start) / (w.end - w.start)) * 100));
  return (
    <tr>
      <td className="t3">{at}</td>
      <td className={classes.what}>
        <span className="mono">{s.metric}</span>
        {tags.map((t) => (
          <span key={t} className={`${classes.tag} mono`}>
            {t}
          </span>
        ))}
      </td>
      <td className={classes.spark}>
        <div className={classes.sparkBox}>
          <Sparkline values={values ?? []} color="var(--tm-acc)" height={26} width={164} />
          <span style={{ left: `${percent(brush.start)}%`, right: `${100 - percent(brush.end)}%` }} />
        </div>
      </td>
      <td className={tables.right}>{s.before === null ? "none" : value(s.before, unit)}</td>
      <td className={tables.right}>{s.during === null ? "none" : value(s.during, unit)}</td>
      <td className={tables.right}>
        <b>{changeWords(s.before, s.during)}</b>
      </td>
      <td>{beginsWords(s.begins, step, duration)}</td>
      <td>
        <FitBar fit={s.fit} />
      </td>
      <td className={tables.right}>
        <span className={classes.rowTools}>
          <button
            type="button"
            className={classes.link}
            disabled={!all.hasRoom}
            aria-label={`Open as ${all.next || "query"}: ${s.metric} ${tags.join(" ")}`}
            onClick={() => all.add(search)}
          >
            {`Open as ${all.next || "query"}`}
          </button>
          <Menu
            label={`More for ${s.metric}`}
            items={[
              ...(canEdit ? [{ label: "Alert on this", run: () => alertOn(search) }] : []),
              { label: "Leave this metric out", run: onLeaveOut },
            ]}
            target={(p) => (
              <IconButton label={`More for ${s.metric} ${tags.join(" ")}`} {...p}>
                <IconDots size={16} stroke={1.6} />
              </IconButton>
            )}
          />
        </span>
      </td>
    </tr>
  );
}
