import classes from "./Editor.module.css";

type Props = {
  label: string;
  value: number | null | undefined;
  unit: string;
  onChange: (v: number | null) => void;
  /** It is the line that is crossed. */
  red?: boolean;
};

/** A number with its unit, as wide as it is long. */
export function Amount({ label, value, unit, onChange, red = false }: Props) {
  const shown = value ?? "";
  return (
    <label className={classes.number} data-plain={!red || undefined}>
      <input
        aria-label={`${label}${unit ? ` in ${unit}` : ""}`}
        type="number"
        step="any"
        value={shown}
        style={{ width: `${Math.max(1, String(shown).length)}ch` }}
        onChange={(e) => onChange(e.currentTarget.value === "" ? null : Number(e.currentTarget.value))}
      />
      {unit && <span>{unit}</span>}
    </label>
  );
}
