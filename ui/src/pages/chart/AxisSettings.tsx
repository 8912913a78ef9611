import { IconX } from "@tabler/icons-react";
import type { ChartDraft } from "../../api/types";
import { colorOf } from "../../chart/palette";
import { useScheme } from "../../chart/useScheme";
import { Chip } from "../../components/controls";
import { NumberRow, SelectRow, TextRow } from "../../components/FieldRows";
import { Switch } from "../../components/fields";
import { fieldError } from "../../components/problems";
import { axisUnit, letter, patchStream, rightEnds, setAxisUnit, setRightEnds, unitOptions } from "./draft";
import classes from "./Editor.module.css";

type Props = { draft: ChartDraft; onChange: (p: Partial<ChartDraft>) => void; error: unknown };

/** The axes of lines and stacks. */
export function AxisSettings({ draft: d, onChange, error }: Props) {
  const right = d.streams.some((s) => s.split_axis);
  const ends = rightEnds(d.streams);
  const gaps = d.streams.some((s) => s.gap_detection);
  return (
    <>
      <h2>Left axis</h2>
      <UnitRow draft={d} onChange={onChange} />
      <TextRow
        label="Label"
        hint="Beside the axis: Time to answer."
        value={d.label ?? ""}
        placeholder="the unit"
        onChange={(v) => onChange({ label: v || null })}
      />
      <div className={classes.two}>
        <NumberRow
          label="Min"
          hint="Where the axis begins."
          value={d.min}
          error={fieldError(error, "min")}
          onChange={(min) => onChange({ min })}
        />
        <NumberRow
          label="Max"
          hint="Where it ends."
          value={d.max}
          error={fieldError(error, "max")}
          onChange={(max) => onChange({ max })}
        />
      </div>
      <Switch
        label="Logarithmic"
        hint="Equal steps multiply: 1, 10, 100."
        checked={d.use_log_yaxis === true}
        onChange={(on) => onChange({ use_log_yaxis: on })}
      />
      <hr />
      <h2>Right axis</h2>
      {right && (
        <>
          <UnitRow draft={d} onChange={onChange} right />
          <div className={classes.two}>
            <NumberRow
              label="Right min"
              hint="Where the axis begins."
              value={ends.min}
              onChange={(min) => onChange({ streams: setRightEnds(d.streams, { min }) })}
            />
            <NumberRow
              label="Right max"
              hint="Where it ends."
              value={ends.max}
              onChange={(max) => onChange({ streams: setRightEnds(d.streams, { max }) })}
            />
          </div>
        </>
      )}
      <OnTheRight draft={d} onChange={onChange} />
      <hr />
      <Switch
        label="Show gaps where data is missing"
        hint="Otherwise the line goes on to the next value."
        checked={gaps}
        onChange={(on) =>
          onChange({ streams: d.streams.map((s) => (s.type === "annotation" ? s : { ...s, gap_detection: on })) })
        }
      />
    </>
  );
}

type UnitProps = Omit<Props, "error"> & { right?: boolean };

/** The unit of the streams on one axis. */
export function UnitRow({ draft: d, onChange, right = false }: UnitProps) {
  const unit = axisUnit(d.streams, right);
  return (
    <SelectRow
      label="Unit"
      hint="Written after every value, such as ms."
      options={unitOptions(unit)}
      value={unit}
      onChange={(u) => onChange({ streams: setAxisUnit(d.streams, right, u) })}
    />
  );
}

/** The streams on the right axis; a press brings one back. */
function OnTheRight({ draft: d, onChange }: Omit<Props, "error">) {
  const scheme = useScheme();
  const there = d.streams.flatMap((s, i) => (s.split_axis ? [{ s, i }] : []));
  return (
    <div>
      <p className={classes.label}>Streams on it</p>
      <div className={classes.chips}>
        {there.map(({ s, i }) => (
          <Chip
            key={i}
            onClick={() => onChange({ streams: patchStream(d.streams, i, { split_axis: undefined }) })}
            aria-label={`Move ${letter(i)} to the left axis`}
          >
            <span
              className={classes.dot}
              style={{ background: colorOf(s.color ? { hex: s.color } : { slot: i % 8 }, scheme) }}
            />
            {letter(i)} {s.name || s.metric || "composite"}
            <IconX size={12} stroke={1.8} />
          </Chip>
        ))}
        {there.length === 0 && <span className="t3">None. A stream chooses its axis in its row.</span>}
      </div>
    </div>
  );
}
