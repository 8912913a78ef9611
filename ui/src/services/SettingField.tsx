import { useState } from "react";
import type { Service } from "../api/types";
import type { ServiceField } from "../api/ui.gen";
import { Button } from "../components/Button";
import { Field, Input, Select } from "../components/fields";
import own from "./Services.module.css";

type Props = {
  field: ServiceField;
  stored: string;
  value: string;
  set: (v: string) => void;
  error: string | undefined;
  others: Service[];
};

/** One setting, as its kind wants it: a choice, a secret, a text of several lines or of one. */
export function SettingField(props: Props) {
  const { field, error } = props;
  const help = (field.help ?? "").replace(/^The id of the service/, "The service");
  return (
    <Field label={field.required ? field.label : `${field.label} (optional)`} error={error} hint={help || undefined}>
      {(id) => <Control id={id} {...props} />}
    </Field>
  );
}

function Control({ id, field, stored, value, set, others }: Props & { id: string }) {
  if (field.name === "fallback_service_id")
    return (
      <Select
        id={id}
        value={value}
        onChange={set}
        options={[{ value: "", label: "None" }, ...others.map((s) => ({ value: String(s.id), label: s.title }))]}
      />
    );
  if (field.choices)
    return (
      <Select
        id={id}
        value={value}
        onChange={set}
        options={[
          ...(field.required ? [] : [{ value: "", label: "Default" }]),
          ...field.choices.map((c) => ({ value: c, label: c })),
        ]}
      />
    );
  if (field.secret) return <SecretControl id={id} stored={stored} value={value} set={set} />;
  if (field.long)
    return (
      <textarea
        id={id}
        rows={4}
        className={`mono ${own.long}`}
        value={value}
        onChange={(e) => set(e.currentTarget.value)}
      />
    );
  return <Input id={id} value={value} onChange={(e) => set(e.currentTarget.value)} />;
}

/** A secret that is stored is never shown: it is set, and can be replaced. */
function SecretControl({
  id,
  stored,
  value,
  set,
}: {
  id: string;
  stored: string;
  value: string;
  set: (v: string) => void;
}) {
  const [replacing, setReplacing] = useState(stored === "");
  if (!replacing)
    return (
      <div className={own.secret}>
        <span className={own.set} id={id}>
          set
        </span>
        <Button
          variant="default"
          size="xs"
          onClick={() => {
            set("");
            setReplacing(true);
          }}
        >
          Replace
        </Button>
      </div>
    );
  return (
    <div className={own.secret}>
      <Input
        id={id}
        mono
        autoFocus={stored !== ""}
        autoComplete="off"
        value={value}
        onChange={(e) => set(e.currentTarget.value)}
      />
      {stored !== "" && (
        <Button
          variant="subtle"
          size="xs"
          onClick={() => {
            set(stored);
            setReplacing(false);
          }}
        >
          Keep it
        </Button>
      )}
    </div>
  );
}
