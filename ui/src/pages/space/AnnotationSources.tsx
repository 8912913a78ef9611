import { IconChevronDown, IconFlag } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { annotations } from "../../api/annotations";
import { Pop } from "../../components/Pop";
import { count } from "../../lib/format";
import classes from "./Space.module.css";

type Props = { shown: number; sources: string[]; onChange: (sources: string[]) => void };

/** Which annotation streams lie over the charts. */
export function AnnotationSources({ shown, sources, onChange }: Props) {
  const { data } = useQuery(annotations.streams);
  const all = [...new Set([...sources, ...(data?.annotations.map((a) => a.name) ?? [])])];
  if (all.length === 0) return null;
  return (
    <Pop
      label="Annotations"
      align="end"
      target={(p) => (
        <button type="button" className={classes.annotations} {...p}>
          <IconFlag size={14} stroke={1.6} aria-hidden />
          {sources.length === 0 ? (
            "No annotations"
          ) : (
            <span>
              {count(shown, "annotation")} from <span className="mono">{sources.join(", ")}</span>
            </span>
          )}
          <IconChevronDown size={13} stroke={1.6} aria-hidden />
        </button>
      )}
    >
      {() => (
        <div className={classes.checks}>
          {all.map((name) => (
            <label key={name} className={classes.check}>
              <input
                type="checkbox"
                checked={sources.includes(name)}
                onChange={() =>
                  onChange(sources.includes(name) ? sources.filter((s) => s !== name) : [...sources, name])
                }
              />
              <span className="mono">{name}</span>
            </label>
          ))}
        </div>
      )}
    </Pop>
  );
}
