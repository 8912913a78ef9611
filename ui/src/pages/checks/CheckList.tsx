import {
  IconCertificate,
  IconDots,
  IconHeartbeat,
  IconPlugConnected,
  IconWorld,
  IconWorldWww,
} from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { checks } from "../../api/checks";
import { query } from "../../api/query";
import type { Check } from "../../api/ui.gen";
import { align, type Cell } from "../../chart/data";
import { Sparkline } from "../../chart/Sparkline";
import { useConfirm } from "../../components/confirm";
import { IconButton } from "../../components/controls";
import { Menu } from "../../components/Menu";
import { Panel } from "../../components/Panel";
import { RelativeTime } from "../../components/RelativeTime";
import { TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { isUnwell, kinds, pieces, placeWord, silentPlaces, stateOf } from "../../lib/checks";
import { count, duration, moment, took } from "../../lib/format";
import { useSession } from "../../shell/useSession";
import { toast } from "../../toasts/toast";
import classes from "./Checks.module.css";

const icons: Record<string, typeof IconWorld> = {
  heartbeat: IconHeartbeat,
  http: IconWorldWww,
  tcp: IconPlugConnected,
  tls: IconCertificate,
  dns: IconWorld,
};

const columns = (narrow: boolean) => [
  { label: "Kind", silent: true, width: "40px", wide: true },
  { label: "Check" },
  { label: "State", width: "110px" },
  ...(narrow
    ? []
    : [
        { label: "Last 24 hours", wide: true, width: "170px" },
        { label: "Answers", wide: true, width: "100px" },
      ]),
  { label: "Last", wide: true, right: true, width: "180px" },
  { label: "Menu", silent: true, width: "52px" },
];

type Past = { up: Cell[]; answers: Cell[] };

const span = 24 * 3600;
const step = 900;

/** How the checks were in the last day, by the name of the check. */
function usePast(enabled: boolean) {
  return useQuery({
    queryKey: ["checks", "past"],
    enabled,
    refetchInterval: 60_000,
    queryFn: async ({ signal }) => {
      const end = Math.ceil(Date.now() / 1000 / step) * step;
      const w = { start: end - span, end, step };
      const one = (id: string, metric: string, how: string) => ({
        id,
        metric,
        summary_function: how,
        group_function: how,
        group_by: ["check"],
      });
      const body = {
        start: w.start,
        end,
        resolution: step,
        queries: [one("up", "check.up", "min"), one("answers", "check.duration", "mean")],
        dynamic: [],
      };
      const { results } = await query(body, signal);
      const past = new Map<string, Past>();
      for (const r of results) {
        for (const s of r.series) {
          const name = (s.tags.check ?? "").toLowerCase();
          const found = past.get(name) ?? { up: [], answers: [] };
          past.set(name, { ...found, [r.id]: align(s, w, false) });
        }
      }
      return past;
    },
  }).data;
}

export function CheckList({ rows, narrow, now }: { rows: Check[]; narrow: boolean; now: number }) {
  const past = usePast(!narrow);
  return (
    <Panel>
      <table className={table.table}>
        <TableHead columns={columns(narrow)} quiet />
        <tbody>
          {rows.map((c) => (
            <Row key={c.id} check={c} past={past?.get(c.name.toLowerCase())} narrow={narrow} now={now} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

type RowProps = { check: Check; past: Past | undefined; narrow: boolean; now: number };

function Row({ check: c, past, narrow, now }: RowProps) {
  const { canEdit } = useSession();
  const state = stateOf(c, now);
  const Icon = icons[c.kind] ?? IconWorld;
  return (
    <tr data-off={c.active ? undefined : true}>
      <td className={table.hide}>
        <Icon size={16} stroke={1.5} aria-hidden className={classes.icon} />
      </td>
      <td>
        {c.alert ? (
          <Link to="/alerts/$id" params={{ id: String(c.alert) }} className={table.name}>
            {c.name}
          </Link>
        ) : (
          <b>{c.name}</b>
        )}
        <div className={classes.second}>{about(c)}</div>
        <div className={`${table.only} ${classes.below}`} data-state={isUnwell(state) ? state : undefined}>
          <Last check={c} state={state} now={now} />
        </div>
      </td>
      <td>
        <span className={classes.state} data-state={state}>
          {state}
        </span>
      </td>
      {!narrow && (
        <>
          <td className={table.hide}>
            <Day past={past} slow={c.slow} />
          </td>
          <td className={table.hide}>
            {c.kind === "heartbeat" || c.kind === "tls" ? (
              "–"
            ) : (
              <Sparkline values={past?.answers ?? []} color="var(--tm-t2)" height={20} width={76} zero />
            )}
          </td>
        </>
      )}
      <td className={`num ${table.right} ${table.hide}`} data-state={isUnwell(state) ? state : undefined}>
        <Last check={c} state={state} now={now} />
      </td>
      <td className={table.right}>{canEdit && <Actions check={c} />}</td>
    </tr>
  );
}

/** What a check looks at, and from where unless it is the server alone. */
function about(c: Check): string {
  if (c.kind === "heartbeat") return `a call every ${duration(c.every)}, ${duration(c.grace)} grace`;
  const kind = kinds.find((k) => k.value === c.kind)?.label ?? c.kind;
  const what = c.kind === "http" ? c.target : `${kind}: ${c.target}`;
  return c.places.every((p) => p === "server") ? what : `${what} from ${c.places.map(placeWord).join(", ")}`;
}

/** The day behind us: green where it was up, amber where it was slow, red where it was down. */
function Day({ past, slow }: { past: Past | undefined; slow: number }) {
  const list = pieces(past?.up ?? [], past?.answers, slow);
  const times = (state: string) => list.filter((p) => p.state === state).length;
  return (
    <svg
      className={classes.day}
      viewBox="0 0 1 1"
      preserveAspectRatio="none"
      role="img"
      aria-label={list.length === 0 ? "Nothing known" : daySentence(times("down"), times("slow"))}
    >
      {list.map((p) => (
        <rect key={p.from} x={p.from} y={0} width={p.to - p.from} height={1} data-state={p.state} />
      ))}
    </svg>
  );
}

function daySentence(down: number, slow: number): string {
  const parts = [down > 0 && `Down ${count(down, "time")}`, slow > 0 && `Slow ${count(slow, "time")}`].filter(Boolean);
  return parts.join(", ") || "Up";
}

function Last({ check: c, state, now }: { check: Check; state: string; now: number }) {
  if (state === "Maintenance" && c.maintenance) return <>until {moment(c.maintenance.until)}</>;
  if (state === "Slow") return <span className={classes.said}>{slowest(c)}</span>;
  if (state === "Silent") return <span className={classes.said}>nothing from {silentPlaces(c, now).join(", ")}</span>;
  if (isUnwell(state)) return <span className={classes.said}>{worst(c)}</span>;
  if (c.kind === "heartbeat" || c.ran_at === 0) return <RelativeTime at={c.ran_at} />;
  return c.kind === "tls" ? c.said : took(c.duration * 1000);
}

/** How long the slowest answer took; the place is named where there are several. */
function slowest(c: Check): string {
  const time = took(c.duration * 1000);
  const at = c.results.find((r) => r.duration === c.duration);
  return c.results.length > 1 && at ? `${at.place}: ${time}` : time;
}

/** What was said where it is down; the place is named where there are several. */
function worst(c: Check): string {
  const down = c.results.filter((r) => !r.up);
  if (c.results.length < 2 || down.length === 0) return c.said;
  return `${down.map((r) => r.place).join(", ")}: ${down[0]?.said}`;
}

function Actions({ check: c }: { check: Check }) {
  const client = useQueryClient();
  const confirm = useConfirm();
  const refresh = () => client.invalidateQueries({ queryKey: ["checks"] });
  const setActive = (active: boolean) =>
    void checks.update(c.id, { active }).then(refresh, (err: Error) => toast(err.message, { tone: "error" }));
  const remove = () =>
    void confirm({
      title: `Delete ${c.name}?`,
      text: "Its alerts go too. What it measured stays.",
      action: "Delete check",
      danger: true,
      act: async () => {
        await checks.remove(c.id);
        await refresh();
      },
    });
  return (
    <Menu
      label={`What to do with ${c.name}`}
      items={[
        { label: c.active ? "Pause" : "Go on", run: () => setActive(!c.active) },
        "line",
        { label: "Delete…", danger: true, run: remove },
      ]}
      target={(p) => (
        <IconButton label={`More about ${c.name}`} {...p}>
          <IconDots size={16} stroke={1.6} />
        </IconButton>
      )}
    />
  );
}
