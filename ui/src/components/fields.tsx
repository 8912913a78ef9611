import { IconCheck } from "@tabler/icons-react";
import { type ComponentProps, type ReactNode, useEffect, useId } from "react";
import { palette } from "../chart/palette";
import { useScheme } from "../chart/useScheme";
import classes from "./fields.module.css";
import { Pop } from "./Pop";

/** A label, a control and what is wrong with it. */
export function Field({
  label,
  error,
  hint,
  left = false,
  hideLabel = false,
  children,
}: {
  label: ReactNode;
  /** The label is for readers of screens only: what is around it says it to others. */
  hideLabel?: boolean;
  error?: string | undefined;
  /** The error is said because the field was left: the focus stays where it went. */
  left?: boolean;
  hint?: ReactNode;
  children: (id: string) => ReactNode;
}) {
  const id = useId();
  const hinted = !error && Boolean(hint);
  useEffect(() => {
    const control = hinted && document.getElementById(id);
    if (!control) return;
    control.setAttribute("aria-describedby", `${id}-hint`);
    return () => control.removeAttribute("aria-describedby");
  }, [id, hinted]);
  useEffect(() => {
    const control = document.getElementById(id);
    if (!error || !control) return;
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", `${id}-error`);
    // Of several, the first one takes the focus.
    const form = control.closest("form, [role=dialog]") ?? document;
    if (!left && form.querySelector("[data-error]")?.contains(control)) control.focus();
    return () => {
      control.removeAttribute("aria-invalid");
      control.removeAttribute("aria-describedby");
    };
  }, [id, error, left]);
  return (
    <div className={classes.field} data-error={error ? true : undefined}>
      <label htmlFor={id} className={hideLabel ? "sr" : undefined}>
        {label}
      </label>
      {children(id)}
      {error ? (
        <p id={`${id}-error`} className={classes.error} role="alert">
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} className={classes.hint}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}

export type Option = { value: string; label: string };

/** A choice of few; the browser's own control, so that phones show theirs. */
export function Select({
  options,
  value,
  onChange,
  small = false,
  ...rest
}: { options: Option[]; value: string; onChange: (v: string) => void; small?: boolean } & Omit<
  ComponentProps<"select">,
  "onChange" | "value"
>) {
  return (
    <select
      className={classes.select}
      data-small={small || undefined}
      value={value}
      onChange={(e) => onChange(e.currentTarget.value)}
      {...rest}
    >
      {options.map((o) => (
        <option key={o.value} value={o.value}>
          {o.label}
        </option>
      ))}
    </select>
  );
}

export function Input({ mono = false, className, ...rest }: { mono?: boolean } & ComponentProps<"input">) {
  return (
    <input
      className={`${classes.input} ${mono ? "mono" : ""} ${className ?? ""}`}
      autoComplete="off"
      spellCheck={false}
      {...rest}
    />
  );
}

type TextProps = { label: ReactNode; hint?: ReactNode; error?: string | undefined };

/** A line of text with its label. */
export const TextField = ({ label, hint, error, ...rest }: TextProps & ComponentProps<typeof Input>) => (
  <Field label={label} hint={hint} error={error}>
    {(id) => <Input id={id} {...rest} />}
  </Field>
);

/** Several lines of text; it grows with them. */
export const TextArea = ({
  label,
  hint,
  error,
  mono = false,
  rows = 2,
  ...rest
}: TextProps & { mono?: boolean; rows?: number } & Omit<ComponentProps<"textarea">, "rows">) => (
  <Field label={label} hint={hint} error={error}>
    {(id) => (
      <textarea
        id={id}
        className={`${classes.area} ${mono ? "mono" : ""}`}
        style={{ minHeight: 16 + rows * 20 }}
        {...rest}
      />
    )}
  </Field>
);

/** On or off, at once. */
export function Switch({
  label,
  hint,
  checked,
  onChange,
  disabled = false,
  hidden = false,
  small = false,
}: {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (on: boolean) => void;
  disabled?: boolean;
  hidden?: boolean;
  small?: boolean;
}) {
  const id = useId();
  const control = (
    <label className={classes.switch} data-small={small || undefined}>
      <span className={hidden ? "sr" : undefined}>{label}</span>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint && id}
        onChange={(e) => onChange(e.currentTarget.checked)}
      />
    </label>
  );
  if (!hint) return control;
  return (
    <div>
      {control}
      <p id={id} className={classes.hint}>
        {hint}
      </p>
    </div>
  );
}

/** A colour of the palette, or none: then the place in the list decides. */
export function ColorField({
  value,
  shown,
  onChange,
  label,
}: {
  value: string | undefined;
  shown: string;
  onChange: (hex: string | undefined) => void;
  label: string;
}) {
  const scheme = useScheme();
  return (
    <Pop
      label={label}
      sheet={false}
      target={(p) => (
        <button
          type="button"
          className={classes.swatch}
          style={{ background: shown }}
          aria-label={label}
          data-tip={label}
          {...p}
          ref={p.ref}
        />
      )}
    >
      {(close) => (
        <div className={classes.colors}>
          {palette.map((c) => (
            <button
              key={c.name}
              type="button"
              className={classes.color}
              style={{ background: c[scheme] }}
              aria-label={c.name}
              onClick={() => {
                onChange(c.light);
                close();
              }}
            >
              {(value === c.light || value === c.dark) && <IconCheck size={14} stroke={2.4} color="#fff" />}
            </button>
          ))}
          <button
            type="button"
            className={classes.auto}
            onClick={() => {
              onChange(undefined);
              close();
            }}
          >
            By its place
          </button>
        </div>
      )}
    </Pop>
  );
}
