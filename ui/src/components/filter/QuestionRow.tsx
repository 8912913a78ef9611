import { IconPlus, IconX } from "@tabler/icons-react";
import { filterText } from "../../lib/filters";
import { foldings, type Question, summaries, usualLines } from "../../lib/question";
import { Chip } from "../controls";
import { Select } from "../fields";
import { Pop } from "../Pop";
import classes from "./Filter.module.css";
import { FilterBar } from "./FilterBar";
import TagNames from "./TagNames";

type Props = {
  metric: string;
  question: Question;
  /** Changes the address. */
  change: (patch: Record<string, string | undefined>) => void;
};
const none: never[] = [];

/** What is asked of one metric: filters, groups, the summary shown, what becomes of streams. */
export function QuestionRow({ metric, question: { filters, groups, summary, lines, transform }, change }: Props) {
  const group = (next: string[]) => change({ group: next.join(",") || undefined });
  const setGroup = (tag: string, on: boolean) => group(on ? [...groups, tag] : groups.filter((g) => g !== tag));
  return (
    <>
      <FilterBar
        filters={filters}
        groups={none}
        metrics={[metric]}
        onFilter={(tag, values, not) => change({ [`tag.${tag}`]: filterText(values, not) })}
        onGroup={setGroup}
      />
      <span className="t3">Group by</span>
      {groups.map((g) => (
        <Chip key={g} active onClick={() => setGroup(g, false)} aria-label={`Stop grouping by ${g}`}>
          <span className="mono">{g}</span>
          <IconX size={13} stroke={1.8} />
        </Chip>
      ))}
      <Pop
        label="Group by"
        width={250}
        target={(p) => (
          <Chip dashed aria-label="Group by a tag" {...p}>
            <IconPlus size={13} stroke={1.8} />
            {groups.length === 0 && "tag"}
          </Chip>
        )}
      >
        {(close) => (
          <TagNames
            metrics={[metric]}
            taken={groups}
            onPick={(tag) => {
              setGroup(tag, true);
              close();
            }}
          />
        )}
      </Pop>
      <span className={classes.pair}>
        <span className="t3">Show</span>
        <Select
          small
          aria-label="Show"
          options={summaries}
          value={summary}
          onChange={(v) => change({ summary: v || undefined })}
        />
      </span>
      {transform && (
        <Chip
          active
          onClick={() => change({ transform: undefined })}
          aria-label={`Show values as measured, not ${transform}`}
        >
          <span className="mono">{transform}</span>
          <IconX size={13} stroke={1.8} />
        </Chip>
      )}
      <span className={classes.pair}>
        <span className="t3">Lines</span>
        <Select
          small
          aria-label="Lines"
          options={foldings}
          value={lines || usualLines(groups, summary)}
          onChange={(v) => change({ lines: v === usualLines(groups, summary) ? undefined : v })}
        />
      </span>
    </>
  );
}
