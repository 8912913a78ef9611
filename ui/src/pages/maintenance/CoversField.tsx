import { IconPlus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { alertList } from "../../api/alerts";
import type { Covers } from "../../api/maintenance";
import { Button } from "../../components/Button";
import { Chip } from "../../components/controls";
import { Field, Input, Select } from "../../components/fields";
import { Pop } from "../../components/Pop";
import { covers, nothing } from "./draft";
import classes from "./Maintenance.module.css";

type Props = { value: Covers; onChange: (c: Covers) => void; error: string | undefined };
type Part = { key: string; name: string; value: string; drop: Covers };

const omit = (of: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(of).filter(([n]) => n !== name));

/** What a window covers, one chip for each. */
function partsOf(c: Covers, nameOf: (id: number) => string): Part[] {
  if (c.all) return [{ key: "all", name: "every", value: "alert", drop: { ...c, all: false } }];
  return [
    ...Object.entries(c.labels).map(([n, v]) => ({
      key: `label ${n}`,
      name: `${n} is`,
      value: v,
      drop: { ...c, labels: omit(c.labels, n) },
    })),
    ...Object.entries(c.tags).map(([n, v]) => ({
      key: `tag ${n}`,
      name: `tag ${n} is`,
      value: v,
      drop: { ...c, tags: omit(c.tags, n) },
    })),
    ...c.alerts.map((id) => ({
      key: `alert ${id}`,
      name: "alert",
      value: nameOf(id),
      drop: { ...c, alerts: c.alerts.filter((x) => x !== id) },
    })),
  ];
}

/** Labels of alerts, tags of streams, or alerts by name. */
export function CoversField({ value, onChange, error }: Props) {
  const { data } = useQuery(alertList());
  const nameOf = (id: number) => data?.alerts.find((a) => a.id === id)?.name ?? `number ${id}`;
  const label = useId();
  return (
    <div className={classes.covers} role="group" aria-labelledby={label}>
      <b id={label}>Covers alerts where</b>
      <div>
        {partsOf(value, nameOf).map((p) => (
          <span key={p.key} className={classes.part}>
            <span className="mono cut">
              {p.name} <b>{p.value}</b>
            </span>
            <button type="button" aria-label={`Remove ${p.name} ${p.value}`} onClick={() => onChange(p.drop)}>
              <IconX size={13} stroke={1.8} />
            </button>
          </span>
        ))}
        {!value.all && <AddPart value={value} onChange={onChange} />}
      </div>
      {error && covers.isEmpty(value) ? (
        <p className={classes.wrong} role="alert">
          Say which alerts it covers.
        </p>
      ) : (
        <p className="t3">Labels of alerts, tags of streams, or alerts by name.</p>
      )}
    </div>
  );
}

const kinds = [
  { value: "labels", label: "A label of the alert" },
  { value: "tags", label: "A tag of the stream" },
  { value: "alerts", label: "One alert" },
  { value: "all", label: "Every alert" },
];

function AddPart({ value: c, onChange }: Omit<Props, "error">) {
  return (
    <Pop
      label="Add what it covers"
      align="end"
      width={280}
      target={(p) => (
        <Chip dashed {...p} ref={p.ref}>
          <IconPlus size={13} stroke={1.8} /> Add
        </Chip>
      )}
    >
      {(close) => (
        <AddForm
          add={(change) => {
            onChange(change(c));
            close();
          }}
        />
      )}
    </Pop>
  );
}

function AddForm({ add }: { add: (change: (c: Covers) => Covers) => void }) {
  const { data } = useQuery(alertList());
  const alerts = data?.alerts ?? [];
  const [kind, setKind] = useState("labels");
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const list = useId();
  const known = kind === "labels" ? alerts.flatMap((a) => Object.entries(a.labels ?? {})) : [];
  const named = kind === "labels" || kind === "tags";
  const chosen = kind === "alerts" ? text || String(alerts[0]?.id ?? "") : text.trim();
  const [tried, setTried] = useState(false);
  const what = kind === "labels" ? "Label" : "Tag";
  const lacks = {
    name: named && name.trim() === "" ? `${what} is missing.` : undefined,
    text: kind !== "all" && chosen === "" ? "Value is missing." : undefined,
  };
  const take = () => {
    setTried(true);
    if (lacks.name || lacks.text) return;
    if (kind === "all") add(() => ({ ...nothing, all: true }));
    else if (kind === "alerts") add((c) => ({ ...c, alerts: [...new Set([...c.alerts, Number(chosen)])] }));
    else add((c) => ({ ...c, [kind]: { ...c[kind as "labels" | "tags"], [name.trim()]: chosen } }));
  };
  return (
    <div
      className={classes.add}
      onKeyDown={(e) => {
        if (e.key !== "Enter" || e.target instanceof HTMLButtonElement) return;
        e.preventDefault();
        e.stopPropagation();
        take();
      }}
    >
      <Field label="What" hint="Several labels or tags must all fit.">
        {(id) => (
          <Select
            id={id}
            options={kinds}
            value={kind}
            onChange={(k) => {
              setKind(k);
              setText("");
              setTried(false);
            }}
          />
        )}
      </Field>
      {named && (
        <>
          <Field
            label={what}
            hint={kind === "labels" ? "Its name, such as team." : "Its name, such as host."}
            error={tried ? lacks.name : undefined}
          >
            {(id) => (
              <Input id={id} mono list={`${list}-n`} value={name} onChange={(e) => setName(e.currentTarget.value)} />
            )}
          </Field>
          <Field label="Value" hint="As it is written there, such as checkout." error={tried ? lacks.text : undefined}>
            {(id) => (
              <Input id={id} mono list={`${list}-v`} value={text} onChange={(e) => setText(e.currentTarget.value)} />
            )}
          </Field>
          <Options id={`${list}-n`} of={known.map(([n]) => n)} />
          <Options id={`${list}-v`} of={known.filter(([n]) => n === name).map(([, v]) => v)} />
        </>
      )}
      {kind === "alerts" && (
        <Field
          label="Alert"
          hint="This one, whatever its labels are."
          error={tried && lacks.text ? "There is no alert yet." : undefined}
        >
          {(id) => (
            <Select
              id={id}
              options={alerts.map((a) => ({ value: String(a.id), label: a.name }))}
              value={chosen}
              onChange={setText}
            />
          )}
        </Field>
      )}
      <Button size="xs" onClick={take}>
        Add
      </Button>
    </div>
  );
}

const Options = ({ id, of }: { id: string; of: string[] }) => (
  <datalist id={id}>
    {[...new Set(of)].map((v) => (
      <option key={v} value={v} />
    ))}
  </datalist>
);
