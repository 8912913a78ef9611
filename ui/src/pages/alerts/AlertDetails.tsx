import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type AlertDraft, alertList } from "../../api/alerts";
import { Field, Input, Select } from "../../components/fields";
import { LabelField } from "../../components/Labels";
import { fieldError } from "../../components/problems";
import { severities } from "../../components/Severity";
import { labelsOf, labelText } from "../../lib/labels";
import { linkProblem } from "../../lib/link";
import classes from "./Editor.module.css";

type Props = {
  draft: AlertDraft;
  setDraft: (d: AlertDraft) => void;
  error: unknown;
  /** Somebody wanted to save it: what is wrong is said now. */
  tried: boolean;
  /** Something that is no label stands in the field of labels. */
  onLabelProblem: (problem: string | undefined) => void;
};

/** What else an alert's attributes hold stays as it is. */
function withRunbook({ runbook_url: _, ...others }: AlertDraft["attributes"], url: string): AlertDraft["attributes"] {
  return url ? { ...others, runbook_url: url } : others;
}

/** What it is called, and what those who are notified should know. */
export function AlertDetails({ draft, setDraft, error, tried, onLabelProblem }: Props) {
  const [left, setLeft] = useState(false);
  const { data } = useQuery(alertList());
  const known = labelsOf(data?.alerts ?? []).map((l) => labelText(l.name, l.value));
  const runbook = draft.attributes.runbook_url ?? "";
  const wrongLink = left || tried ? linkProblem(runbook) : undefined;
  return (
    <section className={classes.details}>
      <h2>Details</h2>
      <Field label="Name" error={fieldError(error, "name")}>
        {(id) => (
          <Input id={id} value={draft.name} onChange={(e) => setDraft({ ...draft, name: e.currentTarget.value })} />
        )}
      </Field>
      <Field
        label="Severity"
        hint="Notifications say it, and people choose by it what their devices notify of."
        error={fieldError(error, "severity")}
      >
        {(id) => (
          <Select
            id={id}
            value={draft.severity}
            options={[{ value: "", label: "Not set" }, ...severities]}
            onChange={(v) => setDraft({ ...draft, severity: v as AlertDraft["severity"] })}
          />
        )}
      </Field>
      <LabelField
        labels={draft.labels}
        onChange={(labels) => setDraft({ ...draft, labels })}
        error={fieldError(error, "labels")}
        hint="Every notification carries them, and maintenance can go by them."
        known={known}
        onProblem={onLabelProblem}
      />
      <Field
        label="Description"
        error={fieldError(error, "description")}
        hint="What somebody should know who is woken by it."
      >
        {(id) => (
          <textarea
            id={id}
            rows={3}
            className={classes.area}
            value={draft.description ?? ""}
            onChange={(e) => setDraft({ ...draft, description: e.currentTarget.value || null })}
          />
        )}
      </Field>
      <Field
        label="Runbook URL"
        hint="What to do about it: notifications link to it."
        error={wrongLink ?? fieldError(error, "attributes.runbook_url")}
      >
        {(id) => (
          <Input
            id={id}
            type="url"
            placeholder="https://"
            value={runbook}
            onFocus={() => setLeft(false)}
            onBlur={() => setLeft(true)}
            onChange={(e) => setDraft({ ...draft, attributes: withRunbook(draft.attributes, e.currentTarget.value) })}
          />
        )}
      </Field>
    </section>
  );
}
