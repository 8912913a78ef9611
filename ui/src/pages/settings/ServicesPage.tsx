import { Button } from "@mantine/core";
import { IconDots, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { alertList } from "../../api/alerts";
import { type ServiceType, services } from "../../api/services";
import type { Service } from "../../api/types";
import { IconButton } from "../../components/controls";
import { EmptyState } from "../../components/EmptyState";
import { Menu } from "../../components/Menu";
import { ErrorCard } from "../../components/problems";
import { RelativeTime } from "../../components/RelativeTime";
import { SearchField } from "../../components/SearchField";
import { SkeletonRows } from "../../components/Skeleton";
import { deliveryState } from "../../lib/alertWords";
import { count } from "../../lib/format";
import { note } from "../../notes/notes";
import { useShortcuts } from "../../shell/shortcuts";
import { useSession } from "../../shell/useSession";
import { Head } from "./Head";
import classes from "./Settings.module.css";
import { ChooseType } from "./services/ChooseType";
import { DeleteService } from "./services/DeleteService";
import { ServiceDrawer } from "./services/ServiceDrawer";
import { ServiceIcon } from "./services/ServiceIcon";
import own from "./services/Services.module.css";

/** Notification Services: where alerts are told, and whether that works. */
export function ServicesPage() {
  const { canEdit } = useSession();
  const { q = "" } = useSearch({ from: "/shell/settings/services" });
  const navigate = useNavigate();
  const list = useQuery(services.list());
  const types = useQuery(services.types);
  const open = (what: string) => navigate({ to: "/settings/services", search: (old) => ({ ...old, open: what }) });
  useShortcuts(canEdit ? [{ keys: "c", label: "Add service", run: () => open("new") }] : []);
  const error = list.error ?? types.error;
  const add = canEdit && (
    <Button leftSection={<IconPlus size={15} stroke={1.6} />} onClick={() => open("new")}>
      Add service
    </Button>
  );
  return (
    <>
      <Head
        title="Notification Services"
        lead="Where alerts are told: mailboxes, chats, pagers, addresses."
        action={list.data && list.data.items.length > 0 && add}
      />
      {error && <ErrorCard error={error} retry={list.refetch} what="the services" />}
      {!error && !(list.data && types.data) && <SkeletonRows rows={4} height={54} />}
      {list.data?.items.length === 0 && (
        <EmptyState title="No services yet. Without one, alerts only show here." actions={add} />
      )}
      {list.data && types.data && list.data.items.length > 0 && (
        <>
          {list.data.items.length > 8 && (
            <div className={classes.row}>
              <SearchField
                value={q}
                onChange={(v) =>
                  navigate({ to: "/settings/services", search: (old) => ({ ...old, q: v }), replace: true })
                }
                placeholder="Find by title or type"
              />
            </div>
          )}
          <Table items={list.data.items} types={types.data} q={q} open={open} editable={canEdit} />
          <p className={classes.foot}>
            Each delivery is tried again, at growing intervals, until the service takes it. Secrets are never shown in
            logs or answers.
          </p>
        </>
      )}
      {list.data && types.data && <Opened items={list.data.items} types={types.data} />}
    </>
  );
}

type TableProps = {
  items: Service[];
  types: ServiceType[];
  q: string;
  open: (what: string) => void;
  editable: boolean;
};

function Table({ items, types, q, open, editable }: TableProps) {
  const titleOf = (type: string) => types.find((t) => t.type === type)?.title ?? type;
  const words = q.trim().toLowerCase();
  const shown = items.filter((s) => `${s.title} ${titleOf(s.type)}`.toLowerCase().includes(words));
  return (
    <div className={classes.panel}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>Title</th>
            <th className={classes.hide}>Type</th>
            <th className={classes.hide}>Used by</th>
            <th className={classes.hide}>Last delivery</th>
            <th>
              <span className="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((s) => (
            <Row key={s.id} service={s} type={titleOf(s.type)} open={open} editable={editable} />
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <EmptyState title={`Nothing matches ${q}.`} />}
    </div>
  );
}

/** How many alerts tell a service. */
function useUses(id: number): number | undefined {
  const { data } = useQuery(alertList());
  return data?.alerts.filter((a) => a.services.some((s) => s.id === id)).length;
}

type RowProps = { service: Service; type: string; open: (what: string) => void; editable: boolean };

function Row({ service, type, open, editable }: RowProps) {
  const uses = useUses(service.id);
  const used = uses === undefined ? "" : uses === 0 ? "no alert" : count(uses, "alert");
  const id = String(service.id);
  return (
    // The title is the button for keyboards; the row is a larger target for the mouse.
    <tr data-link onClick={() => open(id)}>
      <td>
        <span className={own.title}>
          <ServiceIcon type={service.type} />
          <button
            type="button"
            className={`${classes.name} ${own.open}`}
            onClick={(e) => {
              e.stopPropagation();
              open(id);
            }}
          >
            {service.title}
          </button>
        </span>
        <div className={`t2 ${classes.only} ${own.under}`}>
          {type} · <LastDelivery id={service.id} />
        </div>
      </td>
      <td className={classes.hide}>{type}</td>
      <td className={`t2 ${classes.hide}`}>{used}</td>
      <td className={classes.hide}>
        <LastDelivery id={service.id} />
      </td>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: only keeps clicks on the menu from opening the row */}
      <td className={classes.right} onClick={(e) => e.stopPropagation()}>
        {editable && <RowMenu service={service} open={open} />}
      </td>
    </tr>
  );
}

function LastDelivery({ id }: { id: number }) {
  const { data } = useQuery(services.deliveries(id));
  const last = data?.[0];
  if (!data) return null;
  if (!last) return <span className="t3">nothing sent yet</span>;
  const state = deliveryState(last);
  return (
    <>
      <RelativeTime at={last.created_at} />
      {state.tone !== "grn" && <span className={own[state.tone]}> · {state.word}</span>}
    </>
  );
}

function RowMenu({ service, open }: { service: Service; open: (what: string) => void }) {
  const test = async () => {
    note(`Sending a test to ${service.title}…`);
    try {
      const got = await services.test(service.id);
      note(`${service.title}: ${got.answer} in ${got.duration_ms} ms`, got.ok ? {} : { tone: "error" });
    } catch (err) {
      note((err as Error).message, { tone: "error" });
    }
  };
  return (
    <Menu
      label={`Actions for ${service.title}`}
      items={[
        { label: "Edit", run: () => open(String(service.id)) },
        { label: "Send test", run: () => void test() },
        "line",
        { label: "Delete…", danger: true, run: () => open(`${service.id}-delete`) },
      ]}
      target={(p) => (
        <IconButton label={`Actions for ${service.title}`} {...p}>
          <IconDots size={17} stroke={1.6} />
        </IconButton>
      )}
    />
  );
}

/** What the address says is open: a service, its deletion, or a new one of a type. */
function Opened({ items, types }: { items: Service[]; types: ServiceType[] }) {
  const { open = "" } = useSearch({ from: "/shell/settings/services" });
  const { canEdit } = useSession();
  const navigate = useNavigate();
  const go = (what: string | undefined) =>
    navigate({ to: "/settings/services", search: ({ q }) => ({ ...(q && { q }), ...(what && { open: what }) }) });
  const close = () => void go(undefined);
  const service = items.find((s) => s.id === Number.parseInt(open, 10));
  if (open === "new" && canEdit) return <ChooseType types={types} choose={(t) => void go(`new-${t}`)} close={close} />;
  if (open.startsWith("new-") && canEdit) {
    const type = types.find((t) => t.type === open.slice(4));
    return type ? <ServiceDrawer key={open} type={type} others={items} close={close} /> : null;
  }
  if (!service) return null;
  if (open.endsWith("-delete") && canEdit)
    return <DeleteService service={service} back={() => void go(String(service.id))} close={close} />;
  const type = types.find((t) => t.type === service.type) ?? { type: service.type, title: service.type, fields: [] };
  return (
    <ServiceDrawer
      key={open}
      service={service}
      type={type}
      others={items.filter((s) => s.id !== service.id)}
      close={close}
      remove={() => void go(`${service.id}-delete`)}
    />
  );
}
