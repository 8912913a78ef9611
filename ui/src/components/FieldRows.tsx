import type { ReactNode } from "react";
import { Field, Input, type Option, Select } from "./fields";

/** A label with a choice under it. */
export function SelectRow(props: {
  label: string;
  options: Option[];
  value: string;
  onChange: (v: string) => void;
}): ReactNode {
  const { label, ...rest } = props;
  return <Field label={label}>{(id) => <Select id={id} {...rest} />}</Field>;
}

type TextProps = {
  label: string;
  value: string;
  placeholder?: string;
  hint?: string;
  inputMode?: "numeric" | "decimal";
  error?: string | undefined;
  onChange: (v: string) => void;
};

/** A label with a text under it. */
export function TextRow({ label, hint, error, onChange, ...rest }: TextProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(id) => <Input id={id} {...rest} onChange={(e) => onChange(e.currentTarget.value)} />}
    </Field>
  );
}

type NumberProps = {
  label: string;
  value: number | null | undefined;
  error?: string | undefined;
  onChange: (v: number | null) => void;
};

const numberOr = (text: string) => (text.trim() === "" || Number.isNaN(Number(text)) ? null : Number(text));

/** A label with a number under it; none means that the chart decides. What is half typed stays as it is. */
export function NumberRow({ label, value, error, onChange }: NumberProps) {
  return (
    <Field label={label} error={error}>
      {(id) => (
        <Input
          id={id}
          inputMode="decimal"
          defaultValue={value ?? ""}
          placeholder="Auto"
          onChange={(e) => onChange(numberOr(e.currentTarget.value))}
        />
      )}
    </Field>
  );
}
