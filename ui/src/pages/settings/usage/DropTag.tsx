import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { tags as tagsOf } from "../../../api/metrics";
import { org } from "../../../api/org";
import { useChange } from "../../../api/resource";
import type { TagName } from "../../../api/ui.gen";
import { Button } from "../../../components/Button";
import { Field, Input } from "../../../components/fields";
import { Modal } from "../../../components/overlays";
import { FormError, fieldError } from "../../../components/problems";
import settings from "../../../components/settingsPages.module.css";
import { count } from "../../../lib/format";
import { mostValues } from "../../../lib/tagDrops";
import { useDebounced } from "../../../lib/useDebounced";
import { toast } from "../../../toasts/toast";
import classes from "./DropTag.module.css";

/** The tags that streams of a metric have, by how many values. */
export const useTagsOf = (metric: string): TagName[] => {
  const { data } = useQuery({ ...tagsOf.names([metric]), enabled: metric !== "" });
  return mostValues(data?.tags ?? []);
};

type Props = { metric: string; tag: string; close: () => void };

/** Leaves a tag out of what is recorded from now on, having said what is lost. */
export function DropTag({ metric: first, tag: firstTag, close }: Props) {
  const [metric, setMetric] = useState(first);
  const [tag, setTag] = useState(firstTag);
  const settled = useDebounced(metric.trim(), 300);
  const tags = useTagsOf(settled);
  const drop = useChange(["tag_drops"], org.dropTag);
  const submit = () =>
    drop.mutate(
      { metric, tag },
      {
        onSuccess: (v) => {
          toast(`${v.tag} of ${v.metric} is dropped from now on.`);
          close();
        },
      },
    );
  return (
    <Modal opened onClose={close} title="Drop a tag">
      <form
        className={settings.form}
        noValidate
        onSubmit={(e) => {
          e.preventDefault();
          submit();
        }}
      >
        <Field label="Metric" error={fieldError(drop.error, "metric")} hint="A name, or a pattern such as http.*">
          {(id) => <Input id={id} mono value={metric} onChange={(e) => setMetric(e.currentTarget.value)} />}
        </Field>
        <Field label="Tag" hint="It is left out of what arrives from now on." error={fieldError(drop.error, "tag")}>
          {(id) => <Input id={id} mono data-autofocus value={tag} onChange={(e) => setTag(e.currentTarget.value)} />}
        </Field>
        {tags.length > 0 && (
          <ul className={classes.tags} aria-label="Tags with most values">
            {tags.slice(0, 6).map((t) => (
              <li key={t.name}>
                <button type="button" aria-pressed={t.name === tag} onClick={() => setTag(t.name)}>
                  <span className="mono">{t.name}</span> {count(t.values, "value")}
                </button>
              </li>
            ))}
          </ul>
        )}
        <p className="t2">
          From now on streams that differ in this tag alone become one. What one request has of a second is summed up,
          with count, lowest and highest. Of several requests for the same second the last remains, unless the metric
          has aggregate on. Do not use it for totals that count up, such as counters of Prometheus. Charts and alerts
          that ask for the tag find nothing new. What is stored already stays, and counts until it is old.
        </p>
        <FormError error={drop.error} fields={["metric", "tag"]} />
        <div className={settings.actions}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={drop.isPending}>
            Drop tag
          </Button>
        </div>
      </form>
    </Modal>
  );
}
