import { Button } from "@mantine/core";
import { IconFlask } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useChange } from "../../../api/resource";
import { type ServiceType, services, type TestResult } from "../../../api/services";
import type { Service } from "../../../api/types";
import { discard, useConfirm } from "../../../components/confirm";
import { Field, Input } from "../../../components/fields";
import { DrawerPage } from "../../../components/overlays";
import { FormError, fieldError } from "../../../components/problems";
import { note } from "../../../notes/notes";
import { useSession } from "../../../shell/useSession";
import classes from "../Settings.module.css";
import { ServiceLog } from "./ServiceLog";
import own from "./Services.module.css";
import { SettingField } from "./SettingField";

type Props = {
  /** Left out: a new one. */
  service?: Service;
  type: ServiceType;
  others: Service[];
  close: () => void;
  remove?: () => void;
};

/** What nearly everyone enters. */
const usual: Record<string, Record<string, string>> = { pagerduty: { event_type: "trigger" } };

/** What is sent: settings that are empty are none. */
const filled = (settings: Record<string, string>) =>
  Object.fromEntries(Object.entries(settings).filter(([, v]) => v.trim() !== ""));
const same = (a: Record<string, string>, b: Record<string, string>) =>
  JSON.stringify(Object.entries(filled(a)).sort()) === JSON.stringify(Object.entries(filled(b)).sort());

/** A service: its form as the server describes it, a test, and what was sent. */
export function ServiceDrawer({ service, type, others, close, remove }: Props) {
  const { canEdit, canManage } = useSession();
  // Whoever is shown masks instead of secrets would save the masks, so only the title is theirs to change.
  const locked = !canManage && type.fields.some((f) => f.secret && service?.settings[f.name]);
  const [title, setTitle] = useState(service?.title ?? "");
  const [settings, setSettings] = useState<Record<string, string>>(service?.settings ?? usual[type.type] ?? {});
  const save = useChange(["services"], (draft: { title: string; settings: Record<string, string> }) =>
    service
      ? services.update({ id: service.id, title: draft.title, ...(!locked && { settings: draft.settings }) })
      : services.create({ type: type.type, ...draft }),
  );
  const changed = title !== (service?.title ?? "") || !same(settings, service?.settings ?? {});
  const draft = { title: title.trim() || type.title, settings: filled(settings) };
  const submit = (e?: FormEvent) => {
    e?.preventDefault();
    save.mutate({ title: title.trim(), settings: filled(settings) }, { onSuccess: () => done() });
  };
  const done = () => {
    note(service ? `${title} is saved.` : `${title} is added. Alerts can tell it now.`);
    close();
  };
  const confirm = useConfirm();
  const leave = async () => {
    if (!changed || (await confirm(discard(service?.title ?? "the new service")))) close();
  };
  const known = ["title", ...type.fields.map((f) => f.name)];
  return (
    <DrawerPage
      opened
      onClose={leave}
      above={service ? `Notification Services · ${type.title}` : "Add service"}
      title={service?.title ?? type.title}
      footer={
        <>
          <Button variant="default" onClick={leave}>
            {canEdit ? "Cancel" : "Close"}
          </Button>
          {canEdit && (
            <Button type="submit" form="service" disabled={!changed || !title.trim()} loading={save.isPending}>
              {service ? "Save changes" : "Add service"}
            </Button>
          )}
        </>
      }
    >
      {type.dead && (
        <p className={classes.amber} style={{ marginBottom: 12 }}>
          {type.title} no longer exists. It was imported, and nothing can be sent to it.
        </p>
      )}
      {canEdit ? (
        <form id="service" className={classes.form} onSubmit={submit}>
          <Field
            label="Title"
            error={fieldError(save.error, "title")}
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
          {!locked &&
            type.fields.map((f) => (
              <SettingField
                key={f.name}
                field={f}
                stored={service?.settings[f.name] ?? ""}
                value={settings[f.name] ?? ""}
                set={(v) => setSettings((old) => ({ ...old, [f.name]: v }))}
                error={fieldError(save.error, f.name)}
                others={others}
              />
            ))}
          <FormError error={save.error} fields={known} />
          <Test service={service} changed={changed} run={() => runTest(service, type.type, draft, changed)} />
        </form>
      ) : (
        <p className="t2">You can look, not change.</p>
      )}
      {service && <ServiceLog id={service.id} />}
      {service && canEdit && remove && (
        <div className={`${classes.panel} ${classes.list}`} style={{ marginTop: 20 }}>
          <div className={classes.item}>
            <div>
              <b>Delete</b>
              <small>Alerts that tell it go on without. Cannot be undone.</small>
            </div>
            <Button variant="default" size="xs" c="var(--tm-red)" onClick={remove}>
              Delete…
            </Button>
          </div>
        </div>
      )}
    </DrawerPage>
  );
}

function runTest(
  service: Service | undefined,
  type: string,
  draft: { title: string; settings: Record<string, string> },
  changed: boolean,
): Promise<TestResult> {
  return service && !changed ? services.test(service.id) : services.testDraft({ type, ...draft });
}

/** Sends a test and shows the answer where it was asked for. */
function Test({
  service,
  changed,
  run,
}: {
  service: Service | undefined;
  changed: boolean;
  run: () => Promise<TestResult>;
}) {
  const { canManage } = useSession();
  const test = useChange(["services", service?.id ?? 0, "deliveries"], run);
  // Whoever does not see the secrets has no complete draft to send.
  const blocked = service && changed && !canManage;
  return (
    <div className={own.test}>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconFlask size={15} stroke={1.6} />}
        loading={test.isPending}
        disabled={Boolean(blocked)}
        data-tip={blocked ? "Save the changes first." : undefined}
        onClick={() => test.mutate()}
      >
        Send test
      </Button>
      <span role="status">
        {test.data && (
          <span className={test.data.ok ? own.grn : own.red}>
            {`${test.data.answer} in ${test.data.duration_ms} ms`}
          </span>
        )}
        {test.error && <span className={own.red}>{test.error.message}</span>}
        {!test.data && !test.error && (
          <span className="t3">
            {changed ? "Tests what is in the form." : "Sends a message that says it is a test."}
          </span>
        )}
      </span>
    </div>
  );
}
