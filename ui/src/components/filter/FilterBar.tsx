import { IconChevronDown, IconPlus, IconX } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { type Filter, filterWords } from "../../lib/filters";
import { sameText } from "../../lib/tagOf";
import { Chip } from "../controls";
import { Pop } from "../Pop";
import classes from "./Filter.module.css";

// What opens is asked for when a pointer comes near, not with the page.
const values = () => import("./Values");
const names = () => import("./TagNames");
const Values = lazy(values);
const TagNames = lazy(names);

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
    fresh && !filters.some((f) => sameText(f.name, fresh))
      ? [...filters, { name: fresh, values: [], not: false }]
      : filters;
  const loose = groups.filter((g) => !shown.some((f) => sameText(f.name, g)));
  return (
    <>
      {shown.map((f) => (
        <FilterChip
          key={f.name}
          filter={f}
          grouped={groups.some((g) => sameText(g, f.name))}
          metrics={metrics}
          onFilter={onFilter}
          onGroup={onGroup}
          reach={reach}
          locked={locked}
          startOpen={fresh !== null && sameText(f.name, fresh)}
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

export type ChipProps = Omit<FilterBarProps, "filters" | "groups"> & {
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
          <button type="button" className={classes.words} disabled={locked} onPointerEnter={() => void values()} {...p}>
            <span className="mono">{filter.name}</span>
            {filter.values.length > 0 && (
              <>
                <span className={classes.verb}>{words.verb}</span>
                <b className={words.mono ? "mono" : classes.plain}>{words.what}</b>
                {!single && <span className={classes.paper}>{filter.values.join(", ")}</span>}
              </>
            )}
            {!single && !locked && <IconChevronDown size={13} stroke={1.6} aria-hidden />}
          </button>
        )}
      >
        {() => (
          <Suspense fallback={<div className={classes.coming} />}>
            <Values
              filter={filter}
              grouped={grouped}
              metrics={metrics}
              onFilter={onFilter}
              onGroup={onGroup}
              reach={reach}
            />
          </Suspense>
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

function AddFilter({ metrics, taken, onPick }: { metrics: string[]; taken: string[]; onPick: (name: string) => void }) {
  return (
    <Pop
      label="Filter by tag"
      width={250}
      target={(p) => (
        <Chip dashed onPointerEnter={() => void names()} {...p}>
          <IconPlus size={13} stroke={1.8} />
          Filter by tag
        </Chip>
      )}
    >
      {(close) => (
        <Suspense fallback={<div className={classes.coming} />}>
          <TagNames
            metrics={metrics}
            taken={taken}
            onPick={(name) => {
              close();
              onPick(name);
            }}
          />
        </Suspense>
      )}
    </Pop>
  );
}
