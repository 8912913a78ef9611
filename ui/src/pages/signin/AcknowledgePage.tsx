import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { acknowledge } from "../../api/acknowledge";
import { ApiError } from "../../api/client";
import type { LinkedIncident } from "../../api/ui.gen";
import { AnchorButton, Button } from "../../components/Button";
import { Field, Input } from "../../components/fields";
import { ErrorCard, FormError, fieldError } from "../../components/problems";
import { lasted, person, shortMoment } from "../../lib/alertWords";
import { count } from "../../lib/format";
import { inOrg } from "../../lib/org";
import { withPrefix } from "../../lib/prefix";
import { inWords } from "../../lib/sentence";
import { Door } from "./Door";

/** Where the link of a notification leads: looking changes nothing, only the button acknowledges. */
export function AcknowledgePage() {
  const { key } = useParams({ from: "/acknowledge/$key" });
  const { data, error, refetch } = useQuery(acknowledge.look(key));
  if (error && !(error instanceof ApiError && error.status === 404))
    return (
      <Door title="Acknowledge">
        <ErrorCard error={error} retry={() => void refetch()} what="the incident" />
      </Door>
    );
  if (error)
    return (
      <Door
        title="This link does not work"
        lead="Links in notifications acknowledge for 7 days, as long as the alert is there. Sign in to see it."
      >
        <AnchorButton href={withPrefix("/alerts")} variant="default">
          Go to the alerts
        </AnchorButton>
      </Door>
    );
  if (!data) return null;
  return (
    <Door title={data.name} lead={`${inWords(data.words)}, ${count(data.streams, "stream")}, in ${data.org}`}>
      <State incident={data} />
      {data.cleared_at === null && data.acknowledged_at === 0 && <Confirm link={key} incident={data} />}
      {data.as && (
        <AnchorButton href={withPrefix(inOrg(`/alerts/${data.alert_id}`, data.org_id))} variant="default">
          Open the alert
        </AnchorButton>
      )}
    </Door>
  );
}

function State({ incident: i }: { incident: LinkedIncident }) {
  const since = `Firing since ${shortMoment(i.since)}`;
  if (i.cleared_at !== null)
    return <p role="status">{`Cleared ${shortMoment(i.cleared_at)} after ${lasted(i.since, i.cleared_at)}.`}</p>;
  if (i.acknowledged_at)
    return (
      <p role="status">
        {`Acknowledged ${shortMoment(i.acknowledged_at)} by ${person(i.acknowledged_by)}. Nobody is reminded, and the escalation has stopped.`}
      </p>
    );
  return <p role="status">{`${since}${i.severity ? `, ${i.severity}` : ""}. Nobody has acknowledged it.`}</p>;
}

function Confirm({ link, incident: { as, org } }: { link: string; incident: LinkedIncident }) {
  const client = useQueryClient();
  const [text, setText] = useState("");
  const confirm = useMutation({
    mutationFn: acknowledge.confirm,
    onSuccess: (now) => client.setQueryData(acknowledge.look(link).queryKey, now),
  });
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        confirm.mutate({ key: link, text });
      }}
    >
      <Field
        label="Note (optional)"
        error={fieldError(confirm.error, "text")}
        hint={
          as ? `You acknowledge as ${as}.` : `You are not signed in to ${org}: it is noted as "link in notification".`
        }
      >
        {(id) => <Input id={id} value={text} onChange={(e) => setText(e.currentTarget.value)} />}
      </Field>
      <FormError error={confirm.error} fields={["text"]} />
      <Button type="submit" fullWidth size="lg" loading={confirm.isPending}>
        Acknowledge
      </Button>
    </form>
  );
}
