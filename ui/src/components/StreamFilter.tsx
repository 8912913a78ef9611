import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { tags } from "../api/metrics";
import type { TagFilter } from "../api/types";
import { toggleValue, withoutValues } from "../lib/tagFilters";
import { sameText } from "../lib/tagOf";
import { Chip, Tag } from "./controls";
import TagNames from "./filter/TagNames";
import { ValueList } from "./filter/ValueList";
import { Pop } from "./Pop";
import classes from "./StreamFilter.module.css";

/** What a filter of streams is about: any noun with a metric and tags. */
type Filtered = { metric_name: string; tags: TagFilter[] };
type Props<T extends Filtered> = { condition: T; onChange: (c: T) => void };

const none: never[] = [];

export const useTagNames = (metric: string): string[] => {
  const { data } = useQuery({ ...tags.names(metric ? [metric] : []), enabled: metric !== "" });
  return data?.tags.map((t) => t.name) ?? [];
};
export const isFilter = (t: TagFilter) => (t.values ?? []).some((v) => v !== "*");

/** "where environment = production" */
export function StreamFilter<T extends Filtered>({ condition: c, onChange }: Props<T>) {
  return (
    <div className={classes.words}>
      <span className="t2">where</span>
      {c.tags.filter(isFilter).map((t) => (
        <Tag
          key={t.name}
          onRemove={() => onChange({ ...c, tags: withoutValues(c.tags, t) })}
          removeLabel={`Remove ${t.name}`}
        >
          {`${t.name} = ${t.values?.join(" or ")}`}
        </Tag>
      ))}
      <AddTag
        metric={c.metric_name}
        tags={c.tags}
        onToggle={(name, value) => onChange({ ...c, tags: toggleValue(c.tags, name, value) })}
      />
    </div>
  );
}

type AddProps = { metric: string; tags: TagFilter[]; onToggle: (name: string, value: string) => void };

/** First the tag, then its values; either is found by typing. */
function AddTag({ metric, tags: all, onToggle }: AddProps) {
  const [name, setName] = useState<string>();
  return (
    <Pop
      label={name === undefined ? "Filter by tag" : `Filter by ${name}`}
      width={260}
      onChange={() => setName(undefined)}
      target={(p) => (
        <Chip dashed {...p}>
          <IconPlus size={14} stroke={1.6} /> tag
        </Chip>
      )}
    >
      {() =>
        metric === "" ? (
          <p className={classes.none}>Choose a metric first.</p>
        ) : name === undefined ? (
          <TagNames metrics={[metric]} taken={none} onPick={setName} />
        ) : (
          <ValueList
            metrics={[metric]}
            name={name}
            picked={(all.find((t) => sameText(t.name, name))?.values ?? []).filter((v) => v !== "*")}
            onToggle={(value) => onToggle(name, value)}
          />
        )
      }
    </Pop>
  );
}
