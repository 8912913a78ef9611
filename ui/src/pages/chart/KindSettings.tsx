import type { Loaded } from "../../api/series";
import type { ChartAttributes, ChartDraft } from "../../api/types";
import { kindOf } from "../../chart/kind";
import { SelectRow, TextRow } from "../../components/FieldRows";
import { Switch } from "../../components/fields";
import { fieldError } from "../../components/problems";
import { isLogarithmic } from "../../panels/distribution";
import { AxisSettings, UnitRow } from "./AxisSettings";
import { Bands } from "./Bands";
import { BigNumberSettings } from "./BigNumberSettings";
import { letter, patchStream } from "./draft";
import classes from "./Editor.module.css";
import { Ends, HeatmapSettings } from "./HeatmapSettings";
import { Thresholds } from "./Thresholds";

type Props = { draft: ChartDraft; onChange: (p: Partial<ChartDraft>) => void; error: unknown };
type KindProps = Props & { loaded: Loaded | undefined };
export type Choice<K extends keyof ChartAttributes> = NonNullable<ChartAttributes[K]>;
export type Of = Props & { set: (patch: ChartAttributes) => void };

const values = [
  { value: "last", label: "last value" },
  { value: "mean", label: "average of the range" },
  { value: "max", label: "highest of the range" },
  { value: "min", label: "lowest of the range" },
  { value: "sum", label: "sum of the range" },
];
const orders = [
  { value: "highest", label: "highest" },
  { value: "lowest", label: "lowest" },
];

/** The settings that a kind of chart has beyond its streams. */
export function KindSettings({ loaded, ...props }: KindProps) {
  const { draft: d, onChange } = props;
  const of: Of = { ...props, set: (patch) => onChange({ attributes: { ...d.attributes, ...patch } }) };
  switch (kindOf(d)) {
    case "text":
      return null;
    case "table":
      return <TableSettings {...of} />;
    case "alerts":
      return <AlertListSettings {...of} />;
    case "events":
      return (
        <>
          <p className="t3">Without annotation streams of its own it lists those that the space shows.</p>
          <TopRow {...of} usual="50" />
        </>
      );
    case "gauge":
      return <GaugeSettings {...of} />;
    case "heatmap":
      return <HeatmapSettings {...of} isLog={loaded !== undefined && isLogarithmic(d, loaded)} />;
    case "bignumber":
      return <BigNumberSettings draft={d} onChange={onChange} />;
    default:
      return (
        <>
          <AxisSettings {...props} />
          <hr />
          <Thresholds all={d.thresholds ?? []} onChange={(thresholds) => onChange({ thresholds })} />
          <Bands all={d.attributes?.bands ?? []} onChange={(bands) => of.set({ bands: bands.length ? bands : null })} />
          <hr />
        </>
      );
  }
}

/** How many rows there are. */
function TopRow({ draft: d, set, error, usual }: Of & { usual: string }) {
  return (
    <TextRow
      label="Rows at most"
      hint={`${usual} if nothing is given.`}
      inputMode="numeric"
      placeholder={usual}
      value={d.attributes?.top == null ? "" : String(d.attributes.top)}
      error={fieldError(error, "attributes.top")}
      onChange={(v) => set({ top: v.trim() === "" ? null : Number(v) })}
    />
  );
}

const ValueRow = ({ draft: d, set }: Of) => (
  <SelectRow
    label="Value"
    hint="What a stream comes to over the range."
    options={values}
    value={d.attributes?.value ?? "last"}
    onChange={(v) => set({ value: v as Choice<"value"> })}
  />
);

const OrderRow = ({ draft: d, set, label, hint }: Of & { label: string; hint: string }) => (
  <SelectRow
    label={label}
    hint={hint}
    options={orders}
    value={d.attributes?.order ?? "highest"}
    onChange={(v) => set({ order: v as Choice<"order"> })}
  />
);

function TableSettings(props: Of) {
  const { draft: d, onChange, set } = props;
  const columns = d.streams.flatMap((s, i) => (s.type === "annotation" ? [] : [{ s, i }]));
  const name = (i: number) => `${letter(i)} ${d.streams[i]?.name || d.streams[i]?.metric || "composite"}`;
  return (
    <>
      <p className="t3">Each stream is a column. Its groups are the rows: choose “One line per …” in its tags.</p>
      <ValueRow {...props} />
      <div className={classes.two}>
        <OrderRow {...props} label="First" hint="Which rows are on top." />
        <TopRow {...props} usual="10" />
      </div>
      {columns.length > 1 && (
        <SelectRow
          label="Sorted by"
          hint="The column that decides the order."
          options={columns.map(({ i }) => ({ value: String(i), label: name(i) }))}
          value={String(d.attributes?.sort ?? 0)}
          onChange={(v) => set({ sort: Number(v) })}
        />
      )}
      <Switch
        label="A small line in each row"
        hint="The values of the range, drawn small."
        checked={d.attributes?.spark === true}
        onChange={(on) => set({ spark: on || null })}
      />
      {columns.map(({ s, i }) => (
        <Thresholds
          key={i}
          label={columns.length > 1 ? `Thresholds of ${name(i)}` : "Thresholds"}
          all={s.thresholds ?? []}
          onChange={(all) =>
            onChange({ streams: patchStream(d.streams, i, { thresholds: all.length ? all : undefined }) })
          }
        />
      ))}
      <hr />
    </>
  );
}

function AlertListSettings(props: Of) {
  const { draft: d, set } = props;
  return (
    <>
      <SelectRow
        label="Show"
        hint="All has those that are quiet, too."
        options={[
          { value: "firing", label: "those that fire" },
          { value: "all", label: "all" },
        ]}
        value={d.attributes?.show ?? "firing"}
        onChange={(v) => set({ show: v as Choice<"show"> })}
      />
      <TextRow
        label="With these words in name or labels"
        hint="Empty means any alert."
        placeholder="team=checkout"
        value={d.attributes?.find ?? ""}
        onChange={(v) => set({ find: v || null })}
      />
      <TopRow {...props} usual="20" />
      <hr />
    </>
  );
}

function GaugeSettings(props: Of) {
  const { draft: d, onChange } = props;
  return (
    <>
      <UnitRow draft={d} onChange={onChange} />
      <Ends {...props} />
      <ValueRow {...props} />
      <OrderRow {...props} label="Of several streams" hint="The gauge shows one of them." />
      <Thresholds all={d.thresholds ?? []} onChange={(thresholds) => onChange({ thresholds })} />
      <hr />
    </>
  );
}
