import type { Dispatch, FormEvent, ReactNode, SetStateAction } from "react";
import type { Service } from "../api/types";
import type { ServiceType } from "../api/ui.gen";
import { Field, Input } from "../components/fields";
import { FormError, fieldError } from "../components/problems";
import classes from "../components/settingsPages.module.css";
import { SettingField } from "./SettingField";

type Props = {
  service: Service | undefined;
  type: ServiceType;
  others: Service[];
  /** Its settings are not theirs to change. */
  locked: boolean;
  title: string;
  setTitle: (title: string) => void;
  settings: Record<string, string>;
  setSettings: Dispatch<SetStateAction<Record<string, string>>>;
  error: unknown;
  submit: (e: FormEvent) => void;
  children: ReactNode;
};

/** The fields of a service as the server lists them, each problem at its field. */
export function ServiceForm(props: Props) {
  const { service, type, others, locked, title, setTitle, settings, setSettings, error, submit, children } = props;
  const shown = locked ? [] : type.fields;
  return (
    <form id="service" className={classes.form} onSubmit={submit} noValidate>
      <Field
        label="Title"
        error={fieldError(error, "title")}
        hint={service ? undefined : "As people call it: #ops, On-call."}
      >
        {(id) => (
          <Input
            id={id}
            value={title}
            data-autofocus={service ? undefined : true}
            onChange={(e) => setTitle(e.currentTarget.value)}
          />
        )}
      </Field>
      {locked && <p className="t2">Only Admins change the settings of a service that has secrets.</p>}
      {shown.map((f) => (
        <SettingField
          key={f.name}
          field={f}
          stored={service?.settings[f.name] ?? ""}
          value={settings[f.name] ?? ""}
          set={(v) => setSettings((old) => ({ ...old, [f.name]: v }))}
          error={fieldError(error, f.name)}
          others={others}
        />
      ))}
      <FormError error={error} fields={["title", ...shown.map((f) => f.name)]} />
      {children}
    </form>
  );
}
