import { useQuery } from "@tanstack/react-query";
import { alertList } from "../../../api/alerts";
import { useChange } from "../../../api/resource";
import { services } from "../../../api/services";
import type { Service } from "../../../api/types";
import { Button } from "../../../components/Button";
import { DrawerPage } from "../../../components/overlays";
import { FormError } from "../../../components/problems";
import classes from "../../../components/settingsPages.module.css";
import table from "../../../components/table.module.css";
import { count } from "../../../lib/format";
import { inWords } from "../../../lib/sentence";
import { toast } from "../../../toasts/toast";

/** Says which alerts would notify nobody, or fewer, before a service is deleted. */
export function DeleteService({ service, back, close }: { service: Service; back: () => void; close: () => void }) {
  const { data } = useQuery(alertList());
  const remove = useChange(["services"], services.remove);
  const users = data?.alerts.filter((a) => a.services.some((s) => s.id === service.id)) ?? [];
  const alone = users.filter((a) => a.services.length === 1);
  const confirm = () =>
    void remove.mutateAsync(service.id).then(
      () => {
        toast(`${service.title} is deleted.`);
        close();
      },
      () => undefined, // shown above the buttons
    );
  return (
    <DrawerPage
      opened
      onClose={close}
      above="Notification Services"
      title={`Delete “${service.title}”?`}
      footer={
        <>
          <Button variant="default" data-autofocus onClick={back}>
            Keep it
          </Button>
          <Button color="ember" loading={remove.isPending} onClick={confirm}>
            Delete service
          </Button>
        </>
      }
    >
      {users.length === 0 ? (
        <p className="t2">No alert uses it.</p>
      ) : (
        <>
          <p className="t2" style={{ marginBottom: 12 }}>
            {`${count(users.length, "alert notifies", "alerts notify")} it. `}
            {alone.length > 0 && `${count(alone.length, "of them notifies", "of them notify")} nobody else.`}
          </p>
          <div className={`${table.panel} ${classes.list}`}>
            {users.map((a) => (
              <div key={a.id} className={classes.item}>
                <div>
                  <b>{a.name}</b>
                  <small>{inWords(a.words)}</small>
                </div>
                {alone.includes(a) && <span style={{ color: "var(--tm-amb)" }}>nobody else is notified</span>}
              </div>
            ))}
          </div>
        </>
      )}
      <FormError error={remove.error} />
    </DrawerPage>
  );
}
