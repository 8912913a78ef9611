import { IconBellRinging, IconFlag, IconX } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { type Compared, changes } from "../../api/explore";
import type { AroundThen, ChangedStream, ChangesBody } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { IconButton } from "../../components/controls";
import { Select } from "../../components/fields";
import { FilterBar } from "../../components/filter/FilterBar";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import tables from "../../components/table.module.css";
import type { Annotated } from "../../dialogs/useAnnotate";
import { type Brush, beginsWords, under } from "../../lib/explore";
import { filtersOf, filterText } from "../../lib/filters";
import { clock, count, duration, span, took } from "../../lib/format";
import type { TagSearch } from "../../lib/search";
import { useTime } from "../../time/TimeContext";
import { ChangeRow } from "./ChangeRow";
import classes from "./Explore.module.css";
import { FitBar } from "./FitBar";
import type { Queries } from "./useQueries";
import { useSparks } from "./useSparks";

type Props = { all: Queries; brush: Brush; close: () => void; onAnnotate?: Annotated };
type Against = ChangesBody["against"];

const fewest = 3;
const againsts = (brush: Brush): { value: Against; label: string }[] => [
  { value: "before", label: brush.end - brush.start > 3600 ? "the time before" : "the hour before" },
  { value: "day", label: "the same time yesterday" },
  { value: "week", label: "the same time last week" },
];

/** The streams that were unlike themselves in the marked range, and what else happened then. */
export default function WhatChanged({ all, brush, close, onAnnotate }: Props) {
  const time = useTime();
  const client = useQueryClient();
  const { search } = all;
  const choices = againsts(brush);
  const against = choices.find((c) => c.value === search.against)?.value ?? "before";
  const filters = useMemo(() => filtersOf(under(search, "w.") as TagSearch), [search]);
  const without = useMemo(() => search.without?.split(",") ?? [], [search.without]);
  const body: ChangesBody = {
    start: brush.start,
    end: brush.end,
    resolution: time.window.step,
    against,
    ...(filters.length && {
      tags: filters.map((f) => ({ name: f.name, values: f.values.map((v) => (f.not ? `!${v}` : v)) })),
    }),
    ...(without.length && { without }),
  };
  const short = (brush.end - brush.start) / time.window.step < fewest;
  const wanted = changes(body);
  const { data, error, isFetching, refetch } = useQuery({ ...wanted, enabled: !short });
  const stopped = !short && !data && !error && !isFetching;
  return (
    <Panel className={classes.changed ?? ""}>
      <section aria-labelledby="what-changed">
        <header className={classes.changedHead}>
          <h2 id="what-changed">What changed at this moment</h2>
          <span className={classes.moment}>{span(brush.start, brush.end)}</span>
          <span className="t3">against</span>
          <Select
            small
            aria-label="Compared with"
            options={choices}
            value={against}
            onChange={(v) => all.page({ against: v === "before" ? undefined : v })}
          />
          <div className={classes.changedTools}>
            <Summary data={short ? undefined : data} isFetching={isFetching} />
            {isFetching && (
              <Button variant="default" onClick={() => void client.cancelQueries({ queryKey: wanted.queryKey })}>
                Stop
              </Button>
            )}
            {stopped && (
              <Button variant="default" onClick={() => void refetch()}>
                Compare
              </Button>
            )}
            <Button variant="default" onClick={() => time.zoom(brush.start, brush.end)}>
              Zoom to it
            </Button>
            {onAnnotate && (
              <Button
                variant="default"
                leftSection={<IconFlag size={15} stroke={1.6} />}
                onClick={() => onAnnotate(brush.start, brush.end)}
              >
                Annotate
              </Button>
            )}
            <IconButton label="Close what changed" onClick={close}>
              <IconX size={16} stroke={1.6} />
            </IconButton>
          </div>
        </header>
        <div className={classes.among}>
          <span className="t3">Among streams where</span>
          <FilterBar
            filters={filters}
            groups={[]}
            metrics={all.queries.flatMap((q) => q.metric ?? [])}
            onFilter={(tag, values, not) => all.page({ [`w.tag.${tag}`]: filterText(values, not) })}
            onGroup={() => undefined}
          />
          {without.length > 0 && (
            <button type="button" className={classes.link} onClick={() => all.page({ without: undefined })}>
              {`Bring back ${without.join(", ")}`}
            </button>
          )}
        </div>
        {short && <p className={classes.none}>Choose at least 3 points.</p>}
        {error && <ErrorCard error={error} retry={() => void refetch()} what="what changed" />}
        {data && !short && <Found data={data} brush={brush} all={all} without={without} />}
        <p className={classes.foot}>
          Ranked by how unlike its own past each stream was, and by how closely it begins with the range. It shows what
          moved together, not what caused it.
        </p>
      </section>
    </Panel>
  );
}

const cuts: Record<string, string> = {
  time: "Time was up",
  streams: "There are too many streams",
  points: "There are too many points",
};

/** How much was compared, and what was not. */
function Summary({ data, isFetching }: { data: Compared | undefined; isFetching: boolean }) {
  let words = isFetching ? "Comparing streams…" : "";
  if (data && !isFetching) {
    words = `${count(data.metrics, "metric")}, ${count(data.streams, "stream")} compared in ${took(data.took)}`;
    if (data.sparse > 0) words += `, ${count(data.sparse, "stream")} with too few points left out`;
    if (data.cut) words += `. ${cuts[data.cut]}: narrow the filter to see the others`;
  }
  return (
    <span className="t3" role="status">
      {words}
    </span>
  );
}

type FoundProps = { data: Compared; brush: Brush; all: Queries; without: string[] };
type Ranked = { fit: number; stream?: ChangedStream; other?: AroundThen };

function Found({ data, brush, all, without }: FoundProps) {
  const time = useTime();
  const sparks = useSparks(data.changes, time);
  const ranked = useMemo<Ranked[]>(
    () =>
      [
        ...data.around.map((other) => ({ fit: other.fit, other })),
        ...data.changes.map((stream) => ({ fit: stream.fit, stream })),
      ].sort((a, b) => b.fit - a.fit),
    [data],
  );
  if (ranked.length === 0) return <p className={classes.none}>Nothing else moved then.</p>;
  return (
    <div className={classes.tableBox}>
      <table className={`${tables.table} ${classes.changes}`}>
        <thead>
          <tr>
            <th>#</th>
            <th>What</th>
            <th>{time.label}</th>
            <th className={tables.right}>Before</th>
            <th className={tables.right}>During</th>
            <th className={tables.right}>Change</th>
            <th>Begins</th>
            <th>Fits the moment</th>
            <th>
              <span className={classes.unseen}>Open</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {ranked.map(({ stream, other }, i) =>
            stream ? (
              <ChangeRow
                key={`${stream.metric}${JSON.stringify(stream.tags)}`}
                at={i + 1}
                stream={stream}
                step={data.resolution}
                brush={brush}
                window={time.window}
                values={sparks.get(stream)}
                all={all}
                onLeaveOut={() => all.page({ without: [...without, stream.metric].join(",") })}
              />
            ) : (
              other && (
                <OtherRow
                  key={`${other.kind}${other.id}`}
                  at={i + 1}
                  other={other}
                  step={data.resolution}
                  start={brush.start}
                />
              )
            ),
          )}
        </tbody>
      </table>
      {data.found > data.changes.length && (
        <p
          className={classes.none}
        >{`The first ${data.changes.length} of ${count(data.found, "stream")} that changed.`}</p>
      )}
    </div>
  );
}

type OtherProps = { at: number; other: AroundThen; step: number; start: number };

/** An annotation or an incident of that time. */
function OtherRow({ at, other, step, start }: OtherProps) {
  const Icon = other.kind === "incident" ? IconBellRinging : IconFlag;
  return (
    <tr>
      <td className="t3">{at}</td>
      <td className={classes.what}>
        <Icon size={15} stroke={1.6} className={classes.mark} aria-hidden />
        <b>{other.title}</b>
        <span className="t3">{other.kind === "incident" ? "alert fired" : `annotation in ${other.stream}`}</span>
      </td>
      <td className={classes.spark} />
      <td />
      <td />
      <td />
      <td>{`${clock(start + other.begins)}, ${beginsWords(other.begins, step, duration)}`}</td>
      <td>
        <FitBar fit={other.fit} />
      </td>
      <td className={tables.right}>
        {other.kind === "incident" ? (
          <Link to="/alerts/$id" params={{ id: String(other.alert_id) }} search={{ incident: String(other.id) }}>
            Open
          </Link>
        ) : (
          <Link to="/annotations/$name" params={{ name: other.stream ?? "" }} search={{ event: String(other.id) }}>
            Open
          </Link>
        )}
      </td>
    </tr>
  );
}
