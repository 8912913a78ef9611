import { IconChevronDown, IconPlus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { tags } from "../../api/metrics";
import { type Filter, filterWords } from "../../lib/filters";
import { count } from "../../lib/format";
import { Chip } from "../controls";
import { Pop } from "../Pop";
import { SearchField } from "../SearchField";
import classes from "./Filter.module.css";

export type FilterBarProps = {
  filters: Filter[];
  groups: string[];
  /** Tags are looked for in the streams of these. */
  metrics: string[];
  onFilter: (name: string, values: string[], not: boolean) => void;
  onGroup: (name: string, on: boolean) => void;
  /** A line below the values: what the filter reaches. */
  reach?: ((name: string) => string) | undefined;
  locked?: boolean;
};

/** Chips for tags: which values, and one line for each or all together. */
export function FilterBar({ filters, groups, metrics, onFilter, onGroup, reach, locked = false }: FilterBarProps) {
  const [fresh, setFresh] = useState<string | null>(null);
  const shown =
    fresh && !filters.some((f) => f.name === fresh) ? [...filters, { name: fresh, values: [], not: false }] : filters;
  const loose = groups.filter((g) => !shown.some((f) => f.name === g));
  return (
    <>
      {shown.map((f) => (
        <FilterChip
          key={f.name}
          filter={f}
          grouped={groups.includes(f.name)}
          metrics={metrics}
          onFilter={onFilter}
          onGroup={onGroup}
          reach={reach}
          locked={locked}
          startOpen={f.name === fresh}
          onClose={() => setFresh(null)}
        />
      ))}
      {loose.map((g) => (
        <Chip key={g} active onClick={() => onGroup(g, false)} aria-label={`Stop one line per ${g}`}>
          one line per <b className="mono">{g}</b>
          <IconX size={13} stroke={1.8} />
        </Chip>
      ))}
      {!locked && <AddFilter metrics={metrics} taken={shown.map((f) => f.name)} onPick={setFresh} />}
    </>
  );
}

type ChipProps = Omit<FilterBarProps, "filters" | "groups"> & {
  filter: Filter;
  grouped: boolean;
  startOpen: boolean;
  onClose: () => void;
  reach: FilterBarProps["reach"];
};

function FilterChip({ filter, grouped, metrics, onFilter, onGroup, reach, locked, startOpen, onClose }: ChipProps) {
  const [open, setOpen] = useState(startOpen);
  const words = filterWords(filter);
  const single = filter.values.length === 1;
  return (
    <span className={classes.chip} data-active={single || undefined}>
      <Pop
        label={`Filter by ${filter.name}`}
        opened={open}
        onChange={(v) => {
          setOpen(v);
          if (!v) onClose();
        }}
        width={260}
        target={(p) => (
          <button type="button" className={classes.words} disabled={locked} {...p}>
            <span className="mono">{filter.name}</span>
            {filter.values.length > 0 && (
              <>
                <span className={classes.verb}>{words.verb}</span>
                <b className={words.mono ? "mono" : classes.plain}>{words.what}</b>
              </>
            )}
            {!single && !locked && <IconChevronDown size={13} stroke={1.6} aria-hidden />}
          </button>
        )}
      >
        {() => (
          <Values
            filter={filter}
            grouped={grouped}
            metrics={metrics}
            onFilter={onFilter}
            onGroup={onGroup}
            reach={reach}
          />
        )}
      </Pop>
      {single && !locked && (
        <button
          type="button"
          className={classes.remove}
          aria-label={`Remove the filter on ${filter.name}`}
          onClick={() => onFilter(filter.name, [], false)}
        >
          <IconX size={13} stroke={1.8} />
        </button>
      )}
    </span>
  );
}

function Values({
  filter,
  grouped,
  metrics,
  onFilter,
  onGroup,
  reach,
}: Pick<ChipProps, "filter" | "grouped" | "metrics" | "onFilter" | "onGroup" | "reach">) {
  const [q, setQ] = useState("");
  const { data } = useQuery(tags.values(metrics, filter.name, q));
  const known = data?.values ?? [];
  // What was chosen stays in the list, also when it has no streams now.
  const gone = filter.values
    .filter((v) => !known.some((k) => k.value === v) && v.includes(q))
    .map((value) => ({ value, streams: 0 }));
  const toggle = (v: string) =>
    onFilter(
      filter.name,
      filter.values.includes(v) ? filter.values.filter((x) => x !== v) : [...filter.values, v],
      filter.not,
    );
  return (
    <div className={classes.panel}>
      <div className={classes.pad}>
        <SearchField value={q} onChange={setQ} placeholder={`Find a value of ${filter.name}`} mono autoFocus />
      </div>
      <div className={classes.values}>
        {[...known, ...gone].map((v) => (
          <label key={v.value} className={classes.value}>
            <input type="checkbox" checked={filter.values.includes(v.value)} onChange={() => toggle(v.value)} />
            <span className="mono cut">{v.value}</span>
            <span className={classes.streams}>{count(v.streams, "stream")}</span>
          </label>
        ))}
        {data && known.length + gone.length === 0 && (
          <p className={classes.none}>{q ? `No value holds ${q}.` : "No stream has this tag."}</p>
        )}
      </div>
      <div className={classes.foot}>
        <label className={classes.line}>
          Leave these out instead
          <input
            type="checkbox"
            checked={filter.not}
            disabled={filter.values.length === 0}
            onChange={(e) => onFilter(filter.name, filter.values, e.currentTarget.checked)}
          />
        </label>
        <label className={classes.line}>
          {`One line per ${filter.name}`}
          <input type="checkbox" checked={grouped} onChange={(e) => onGroup(filter.name, e.currentTarget.checked)} />
        </label>
        {reach && <p className="t3">{reach(filter.name)}</p>}
      </div>
    </div>
  );
}

/** A list of tag names to filter or group by. */
export function TagNames({
  metrics,
  taken,
  onPick,
}: {
  metrics: string[];
  taken: string[];
  onPick: (name: string) => void;
}) {
  const [q, setQ] = useState("");
  const { data } = useQuery(tags.names(metrics));
  const found = (data?.tags ?? []).filter((t) => t.name.includes(q) && !taken.includes(t.name));
  return (
    <div className={classes.panel}>
      <div className={classes.pad}>
        <SearchField value={q} onChange={setQ} placeholder="Find a tag" mono autoFocus />
      </div>
      <div className={classes.values}>
        {found.map((t) => (
          <button key={t.name} type="button" className={classes.value} onClick={() => onPick(t.name)}>
            <span className="mono cut">{t.name}</span>
            <span className={classes.streams}>{count(t.values, "value")}</span>
          </button>
        ))}
        {data && found.length === 0 && (
          <p className={classes.none}>{q ? `No tag holds ${q}.` : "These streams have no other tags."}</p>
        )}
      </div>
    </div>
  );
}

function AddFilter({ metrics, taken, onPick }: { metrics: string[]; taken: string[]; onPick: (name: string) => void }) {
  return (
    <Pop
      label="Filter by tag"
      width={250}
      target={(p) => (
        <Chip dashed {...p}>
          <IconPlus size={13} stroke={1.8} />
          Filter by tag
        </Chip>
      )}
    >
      {(close) => (
        <TagNames
          metrics={metrics}
          taken={taken}
          onPick={(name) => {
            close();
            onPick(name);
          }}
        />
      )}
    </Pop>
  );
}
