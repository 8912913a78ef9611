import { type ReactNode, useId } from "react";
import fields from "../../components/fields.module.css";
import classes from "./Editor.module.css";

/** Several of something under one label, and what they are for. */
export function FieldGroup({ label, hint, children }: { label: string; hint: string; children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-label={label} aria-describedby={id}>
      <p className={classes.label}>{label}</p>
      {children}
      <p id={id} className={`${fields.hint} ${classes.groupHint}`}>
        {hint}
      </p>
    </div>
  );
}
