import { Button } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { AlertDraft } from "../../api/alerts";
import { metrics, tags } from "../../api/metrics";
import type { Condition, TagFilter } from "../../api/types";
import { Input, Select } from "../../components/fields";
import { MetricSearch } from "../../components/MetricSearch";
import { Pop } from "../../components/Pop";
import { Chip, fieldError, IconButton, Panel, Tag } from "../../components/parts";
import { newCondition } from "./AlertEditorPage";
import classes from "./Editor.module.css";

const options = (list: string[]) => list.map((value) => ({ value, label: value }));
const functions = [{ value: "", label: "average" }, ...options(["max", "min", "sum", "count", "derivative"])];
const kinds = [
  { value: "above", label: "goes above" },
  { value: "below", label: "goes below" },
  { value: "absent", label: "is absent" },
];
const minutes = [0, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60];

type Props = { draft: AlertDraft; setDraft: (d: AlertDraft) => void; error: unknown };

/** "Fires when all of these hold": each condition is a sentence of small controls. */
export function Conditions({ draft, setDraft, error }: Props) {
  const list = draft.conditions;
  const set = (i: number, c: Condition) =>
    setDraft({ ...draft, conditions: list.map((old, j) => (i === j ? c : old)) });
  return (
    <section>
      <h2>Fires when all of these hold</h2>
      {list.map((c, i) => (
        <div key={i}>
          {i > 0 && <div className={classes.and}>and</div>}
          <ConditionBox
            condition={c}
            onChange={(next) => set(i, next)}
            {...(list.length > 1 && {
              onRemove: () => setDraft({ ...draft, conditions: list.filter((_, j) => j !== i) }),
            })}
          />
        </div>
      ))}
      {["metric_name", "threshold", "duration", "type", "tags"].map((f) => {
        const said = fieldError(error, `conditions.${f}`);
        return said ? (
          <p key={f} role="alert" style={{ color: "var(--tm-red)" }}>
            {`${f}: ${said}`}
          </p>
        ) : null;
      })}
      <Button
        variant="subtle"
        size="xs"
        mt={8}
        leftSection={<IconPlus size={15} stroke={1.6} />}
        onClick={() => setDraft({ ...draft, conditions: [...list, newCondition()] })}
      >
        Add condition
      </Button>
      {list.length > 1 && (
        <p className="t3">
          Conditions are judged separately: one stream may meet the first and another the second. To tie them together,
          use a composite.
        </p>
      )}
    </section>
  );
}

function ConditionBox({
  condition: c,
  onChange,
  onRemove,
}: {
  condition: Condition;
  onChange: (c: Condition) => void;
  onRemove?: () => void;
}) {
  const { data: metric } = useQuery({ ...metrics.one(c.metric_name), enabled: c.metric_name !== "", retry: false });
  const unit = String(metric?.attributes.display_units_short ?? "");
  const absent = c.type === "absent";
  return (
    <Panel className={classes.condition ?? ""}>
      <div className={classes.metric}>
        <MetricSearch
          value={c.metric_name}
          autoFocus={c.metric_name === ""}
          onPick={(name, m) =>
            onChange({
              ...c,
              metric_name: name,
              tags: [],
              ...(!c.threshold && m?.last_value && { threshold: Number(m.last_value.toPrecision(2)) }),
            })
          }
        />
        {onRemove && (
          <IconButton label="Remove this condition" onClick={onRemove}>
            <IconX size={15} stroke={1.6} />
          </IconButton>
        )}
      </div>
      <div className={classes.words}>
        {!absent && (
          <Select
            small
            aria-label="Function"
            value={c.summary_function ?? ""}
            options={functions}
            onChange={(v) => onChange({ ...c, summary_function: v || null })}
          />
        )}
        <Select
          small
          aria-label="Condition"
          value={c.type}
          options={kinds}
          onChange={(v) =>
            onChange({ ...c, type: v as Condition["type"], ...(v === "absent" && !c.duration && { duration: 300 }) })
          }
        />
        {!absent && (
          <>
            <Input
              className={classes.number ?? ""}
              aria-label={`Threshold${unit ? ` in ${unit}` : ""}`}
              type="number"
              step="any"
              value={c.threshold ?? ""}
              onChange={(e) =>
                onChange({ ...c, threshold: e.currentTarget.value === "" ? null : Number(e.currentTarget.value) })
              }
            />
            <span className="t2">{unit}</span>
          </>
        )}
        <span className="t2">for</span>
        <Select
          small
          aria-label="For how long"
          value={String(c.duration ?? 0)}
          options={minutes
            .filter((m) => m > 0 || !absent)
            .map((m) => ({ value: String(m * 60), label: m === 0 ? "at once" : `${m} min` }))}
          onChange={(v) => onChange({ ...c, duration: Number(v) || null })}
        />
      </div>
      <Where condition={c} onChange={onChange} />
    </Panel>
  );
}

/** "where environment = production", and how streams are judged. */
function Where({ condition: c, onChange }: { condition: Condition; onChange: (c: Condition) => void }) {
  const { data } = useQuery({ ...tags.names(c.metric_name ? [c.metric_name] : []), enabled: c.metric_name !== "" });
  const filters = c.tags.filter((t) => (t.values ?? []).some((v) => v !== "*"));
  const groups = c.tags.filter((t) => t.grouped).map((t) => t.name);
  const names = data?.tags.map((t) => t.name) ?? [];
  const setGroup = (name: string) => {
    const rest = c.tags.map((t) => ({ ...t, grouped: false })).filter((t) => (t.values ?? []).some((v) => v !== "*"));
    const had = rest.find((t) => t.name === name);
    const next = !name
      ? rest
      : had
        ? rest.map((t) => (t === had ? { ...t, grouped: true } : t))
        : [...rest, { name, values: ["*"], grouped: true }];
    onChange({ ...c, tags: next });
  };
  const drop = (t: TagFilter) =>
    onChange({
      ...c,
      tags: t.grouped ? c.tags.map((o) => (o === t ? { ...o, values: ["*"] } : o)) : c.tags.filter((o) => o !== t),
    });
  return (
    <>
      <div className={classes.words}>
        <span className="t2">where</span>
        {filters.map((t) => (
          <Tag key={t.name} onRemove={() => drop(t)} removeLabel={`Remove ${t.name}`}>
            {`${t.name} = ${t.values?.join(" or ")}`}
          </Tag>
        ))}
        <AddTag
          metric={c.metric_name}
          names={names}
          onAdd={(name, value) => onChange({ ...c, tags: withValue(c.tags, name, value) })}
        />
      </div>
      <div className={classes.words}>
        <span className="t2">judged</span>
        <Select
          small
          aria-label="Judged"
          value={groups[0] ?? ""}
          options={[{ value: "", label: "each stream" }, ...names.map((n) => ({ value: n, label: `per ${n}` }))]}
          onChange={setGroup}
        />
      </div>
    </>
  );
}

/** The tags with one more value of one of them. */
export function withValue(list: TagFilter[], name: string, value: string): TagFilter[] {
  const had = list.find((t) => t.name === name);
  if (!had) return [...list, { name, values: [value] }];
  const values = (had.values ?? []).filter((v) => v !== "*" && v !== value);
  return list.map((t) => (t === had ? { ...t, values: [...values, value] } : t));
}

function AddTag({
  metric,
  names,
  onAdd,
}: {
  metric: string;
  names: string[];
  onAdd: (name: string, value: string) => void;
}) {
  return (
    <Pop
      label="Add a tag"
      target={(p) => (
        <Chip dashed {...p}>
          <IconPlus size={14} stroke={1.6} /> tag
        </Chip>
      )}
    >
      {(close) => (
        <div style={{ padding: 8, maxHeight: 320, overflow: "auto", minWidth: 220 }}>
          {names.length === 0 && <p className="t2">No tags yet.</p>}
          {names.map((name) => (
            <TagValues
              key={name}
              metric={metric}
              name={name}
              onPick={(v) => {
                onAdd(name, v);
                close();
              }}
            />
          ))}
        </div>
      )}
    </Pop>
  );
}

function TagValues({ metric, name, onPick }: { metric: string; name: string; onPick: (v: string) => void }) {
  const { data } = useQuery(tags.values([metric], name));
  return (
    <div>
      <div className="t3 mono">{name}</div>
      <div className={classes.words} style={{ marginTop: 2, marginBottom: 8 }}>
        {data?.values.slice(0, 20).map((v) => (
          <Chip key={v.value} className="mono" onClick={() => onPick(v.value)}>
            {v.value}
          </Chip>
        ))}
      </div>
    </div>
  );
}
