import { IconPlus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { AlertDraft, TestAnswer } from "../../api/alerts";
import { services } from "../../api/services";
import { Chip, IconButton } from "../../components/controls";
import { Field, Input, Select } from "../../components/fields";
import { Menu } from "../../components/Menu";
import { fieldError } from "../../components/problems";
import { ServiceIcon } from "../settings/services/ServiceIcon";
import classes from "./Editor.module.css";

const rearms = [1, 5, 10, 15, 30, 60, 120, 360, 720, 1440].map((m) => ({
  value: String(m * 60),
  label: m < 60 ? `${m} min` : `${m / 60} h`,
}));

type Props = { draft: AlertDraft; setDraft: (d: AlertDraft) => void; error: unknown; tests: TestAnswer[] | undefined };

/** Who is told, how often, and what they should know. */
export function Details({ draft, setDraft, error, tests }: Props) {
  return (
    <>
      <section>
        <h2>Notifies</h2>
        <Notified draft={draft} setDraft={setDraft} />
        {tests?.map((t) => (
          <p key={t.service_id} style={{ color: t.ok ? "var(--tm-grn)" : "var(--tm-red)", margin: "6px 0 0" }}>
            {`${t.title}: ${t.answer} in ${t.duration_ms} ms`}
          </p>
        ))}
        <div className={classes.words} style={{ marginTop: 12 }}>
          <span className="t2">While firing, notify every</span>
          <Select
            small
            aria-label="While firing, notify every"
            value={String(draft.rearm_seconds)}
            options={
              rearms.some((r) => r.value === String(draft.rearm_seconds))
                ? rearms
                : [...rearms, { value: String(draft.rearm_seconds), label: `${draft.rearm_seconds / 60} min` }]
            }
            onChange={(v) => setDraft({ ...draft, rearm_seconds: Number(v) })}
          />
        </div>
      </section>
      <hr />
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
        <Field label="Runbook URL" error={fieldError(error, "attributes.runbook_url")}>
          {(id) => (
            <Input
              id={id}
              type="url"
              value={draft.attributes.runbook_url ?? ""}
              onChange={(e) =>
                setDraft({ ...draft, attributes: e.currentTarget.value ? { runbook_url: e.currentTarget.value } : {} })
              }
            />
          )}
        </Field>
      </section>
    </>
  );
}

function Notified({ draft, setDraft }: Pick<Props, "draft" | "setDraft">) {
  const { data } = useQuery(services.list());
  const all = data?.items ?? [];
  const free = all.filter((s) => !draft.services.includes(s.id));
  const set = (ids: number[]) => setDraft({ ...draft, services: ids });
  return (
    <>
      <div className={classes.words} style={{ marginTop: 0 }}>
        {draft.services.map((id) => {
          const title = all.find((s) => s.id === id)?.title ?? `Service ${id}`;
          return (
            <span key={id} className={classes.told}>
              <ServiceIcon type={all.find((s) => s.id === id)?.type ?? ""} size={15} />
              {title}
              <IconButton label={`Do not notify ${title}`} onClick={() => set(draft.services.filter((o) => o !== id))}>
                <IconX size={14} stroke={1.6} />
              </IconButton>
            </span>
          );
        })}
        {all.length > 0 && (
          <Menu
            label="Add a service"
            align="start"
            items={[
              ...free.map((s) => ({ label: s.title, hint: s.type, run: () => set([...draft.services, s.id]) })),
              ...(free.length ? (["line"] as const) : []),
              {
                label: "Add a notification service…",
                run: () => void window.open("/settings/services?open=new", "_blank", "noopener"),
              },
            ]}
            target={(p) => (
              <Chip dashed {...p}>
                <IconPlus size={14} stroke={1.6} /> Service
              </Chip>
            )}
          />
        )}
        {data && all.length === 0 && <Link to="/settings/services">Add a notification service</Link>}
      </div>
      {draft.services.length === 0 && <p className={classes.amber}>Nobody is told. The alert only shows here.</p>}
    </>
  );
}
