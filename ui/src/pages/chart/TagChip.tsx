import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import type { TagFilter } from "../../api/types";
import { Chip } from "../../components/controls";
import { Input, Switch } from "../../components/fields";
import { ValueList } from "../../components/filter/ValueList";
import { Pop } from "../../components/Pop";
import { toggled } from "../../lib/tagOf";
import classes from "./Editor.module.css";

/** Flags that are off are left out, as the API does. */
export function clean(t: TagFilter): TagFilter {
  return {
    name: t.name,
    ...(t.values?.length && !t.dynamic && { values: t.values }),
    ...(t.grouped && { grouped: true }),
    ...(t.dynamic && { dynamic: true }),
  };
}

/** One tag of a stream: its values, whether it groups, whether the space fills it in. */
export function TagChip({
  metric,
  tag,
  onChange,
}: {
  metric: string;
  tag: TagFilter;
  onChange: (p: Partial<TagFilter> | null) => void;
}) {
  const values = tag.values ?? [];
  const toggle = (v: string) => onChange({ values: toggled(values, v) });
  const said = tag.dynamic ? "from space" : values.length ? `is ${values.join(" or ")}` : "";
  return (
    <Pop
      label={`Tag ${tag.name}`}
      width={270}
      target={(p) => (
        <Chip active={tag.grouped === true || tag.dynamic === true || values.length > 0} {...p}>
          <b className="mono">{tag.name}</b> {said}
          {tag.grouped && <span>one line each</span>}
        </Chip>
      )}
    >
      {(close) => (
        <>
          {!tag.dynamic && <ValueList metrics={[metric]} name={tag.name} picked={values} onToggle={toggle} />}
          <div className={classes.tagFoot}>
            {!tag.dynamic && <PatternField values={values} onAdd={(v) => onChange({ values: [...values, v] })} />}
            <Switch
              label={`One line per ${tag.name}`}
              hint="Streams with the same value become one."
              checked={tag.grouped === true}
              onChange={(grouped) => onChange({ grouped })}
            />
            <Switch
              label="Values from the space's filter"
              hint="Whoever looks at the space chooses them above it."
              checked={tag.dynamic === true}
              onChange={(dynamic) => onChange({ dynamic })}
            />
            <button
              type="button"
              className={classes.removeTag}
              onClick={() => {
                close();
                onChange(null);
              }}
            >
              <IconX size={13} stroke={1.8} /> Remove this tag
            </button>
          </div>
        </>
      )}
    </Pop>
  );
}

function PatternField({ values, onAdd }: { values: string[]; onAdd: (v: string) => void }) {
  const [text, setText] = useState("");
  return (
    <Input
      mono
      aria-label="A pattern"
      placeholder="or a pattern: web-*, !web-03"
      value={text}
      onChange={(e) => setText(e.currentTarget.value)}
      onKeyDown={(e) => {
        const v = text.trim();
        if (e.key !== "Enter" || !v || values.includes(v)) return;
        e.preventDefault();
        onAdd(v);
        setText("");
      }}
    />
  );
}
