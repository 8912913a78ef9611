import { useState } from "react";
import type { AlertDraft } from "../../api/alerts";
import { Field, Input } from "../../components/fields";
import { fieldError } from "../../components/problems";
import { linkProblem } from "../../lib/link";
import classes from "./Editor.module.css";

type Props = {
  draft: AlertDraft;
  setDraft: (d: AlertDraft) => void;
  error: unknown;
  /** Somebody wanted to save it: what is wrong is said now. */
  tried: boolean;
};

/** What else an alert's attributes hold stays as it is. */
function withRunbook({ runbook_url: _, ...others }: AlertDraft["attributes"], url: string): AlertDraft["attributes"] {
  return url ? { ...others, runbook_url: url } : others;
}

/** What it is called, and what those who are told should know. */
export function Details({ draft, setDraft, error, tried }: Props) {
  const [left, setLeft] = useState(false);
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
      <Field label="Runbook URL" error={wrongLink ?? fieldError(error, "attributes.runbook_url")}>
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
