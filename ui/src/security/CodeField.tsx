import { useId } from "react";
import fields from "../components/fields.module.css";
import classes from "./Security.module.css";

type Props = {
  label: string;
  value: string;
  onChange: (code: string) => void;
  /** Called with the sixth digit. */
  onFull?: (code: string) => void;
  hint?: string;
  error?: string | undefined;
  autoFocus?: boolean;
  wide?: boolean;
};

const length = 6;
const places = Array.from({ length }, (_, i) => i);

/** Six digits. They look like six boxes and are one field, which browsers fill in. */
export function CodeField({ label, value, onChange, onFull, hint, error, autoFocus, wide = false }: Props) {
  const id = useId();
  const typed = (text: string) => {
    const code = text.replace(/\D/g, "").slice(0, length);
    onChange(code);
    if (code.length === length && code !== value) onFull?.(code);
  };
  return (
    <div className={fields.field} data-error={error ? true : undefined}>
      <label htmlFor={id}>{label}</label>
      <div className={`${classes.boxes} ${wide ? classes.wide : ""}`}>
        {places.map((i) => (
          <span key={i} aria-hidden="true" data-next={i === Math.min(value.length, length - 1) || undefined}>
            {value[i] ?? ""}
          </span>
        ))}
        <input
          id={id}
          data-autofocus={autoFocus || undefined}
          value={value}
          onChange={(e) => typed(e.currentTarget.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          // biome-ignore lint/a11y/noAutofocus: the page asks for nothing else
          autoFocus={autoFocus}
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? `${id}-said` : undefined}
        />
      </div>
      {error ? (
        <p id={`${id}-said`} className={fields.error} role="alert">
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-said`} className={fields.hint}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}
