import { type FormEvent, useState } from "react";
import { useChange } from "../api/resource";
import { services } from "../api/services";
import type { Service } from "../api/types";
import type { ServiceType } from "../api/ui.gen";
import { Button } from "../components/Button";
import { discard, useConfirm } from "../components/confirm";
import { DrawerPage } from "../components/overlays";
import classes from "../components/settingsPages.module.css";
import table from "../components/table.module.css";
import { useShortcuts } from "../shell/shortcuts";
import { useSession } from "../shell/useSession";
import { toast } from "../toasts/toast";
import { filled, isMasked, same, usual } from "./draft";
import { ServiceForm } from "./ServiceForm";
import { ServiceLog } from "./ServiceLog";
import { SigningSecret } from "./SigningSecret";
import { TestService, useTest } from "./TestService";

type Props = {
  /** Left out: a new one. */
  service?: Service;
  type: ServiceType;
  others: Service[];
  close: () => void;
  /** Called with a service that was added, before the drawer closes. */
  onAdded?: (made: Service) => void;
  remove?: () => void;
};

/** A service: its form as the server describes it, a test, and what was sent. */
export function ServiceDrawer({ service, type, others, close, onAdded, remove }: Props) {
  const { canEdit, canManage } = useSession();
  // Members see masks instead of secrets and would save the masks, so they change the title only.
  const locked = !canManage && type.fields.some((f) => f.secret && service?.settings[f.name]);
  const stored = service?.settings ?? usual[type.type] ?? {};
  const [title, setTitle] = useState(service?.title ?? "");
  const [settings, setSettings] = useState<Record<string, string>>(stored);
  const changed = title !== (service?.title ?? "") || !same(settings, stored);
  const save = useChange(["services"], (draft: { title: string; settings: Record<string, string> }) =>
    service
      ? services.update({ id: service.id, title: draft.title, ...(!locked && { settings: draft.settings }) })
      : services.create({ type: type.type, ...draft }),
  );
  const draft = { type: type.type, title: title.trim() || type.title, settings: filled(settings) };
  const test = useTest(service, draft, changed || !service);
  const done = (made: Service | undefined) => {
    toast(service ? `${title} is saved.` : `${title} is added. Alerts can notify it now.`);
    if (!service && made) onAdded?.(made);
    close();
  };
  const submit = (e?: FormEvent) => {
    e?.preventDefault();
    test.reset();
    save.mutate({ title: title.trim(), settings: draft.settings }, { onSuccess: done });
  };
  useShortcuts(canEdit ? [{ keys: "mod+s", label: "Save service", run: () => submit() }] : []);
  const confirm = useConfirm();
  const leave = async () => {
    if (!changed || (await confirm(discard(service?.title ?? "the new service")))) close();
  };
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
            <Button type="submit" form="service" disabled={!changed} loading={save.isPending}>
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
      {canEdit && (
        <ServiceForm
          service={service}
          type={type}
          others={others}
          locked={locked}
          title={title}
          setTitle={setTitle}
          settings={settings}
          setSettings={setSettings}
          error={save.error ?? test.error}
          submit={submit}
        >
          {!type.dead && (
            <TestService
              test={test}
              run={() => {
                save.reset();
                test.mutate(undefined);
              }}
              changed={changed}
              isNew={!service}
              masked={isMasked(settings)}
            />
          )}
        </ServiceForm>
      )}
      {service && type.signed && canManage && <SigningSecret id={service.id} />}
      {service && <ServiceLog id={service.id} />}
      {service && canEdit && remove && <DeleteRow remove={remove} />}
    </DrawerPage>
  );
}

function DeleteRow({ remove }: { remove: () => void }) {
  return (
    <div className={`${table.panel} ${classes.list}`} style={{ marginTop: 20 }}>
      <div className={classes.item}>
        <div>
          <b>Delete</b>
          <small>Alerts that notify it go on without. Cannot be undone.</small>
        </div>
        <Button variant="default" size="xs" style={{ color: "var(--tm-red)" }} onClick={remove}>
          Delete…
        </Button>
      </div>
    </div>
  );
}
