import classes from "./Segments.module.css";

type Props<V> = {
  label: string;
  options: { value: V; label: string }[];
  value: V;
  onChange: (v: V) => void;
  small?: boolean;
};

/** A choice of few that stand side by side. */
export function Segments<V extends string | number>({ label, options, value, onChange, small = false }: Props<V>) {
  return (
    <div className={classes.segments} data-small={small || undefined} role="group" aria-label={label}>
      {options.map((o) => (
        <button key={o.value} type="button" aria-pressed={value === o.value} onClick={() => onChange(o.value)}>
          {o.label}
        </button>
      ))}
    </div>
  );
}
