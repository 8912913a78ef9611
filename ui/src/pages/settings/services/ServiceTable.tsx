import { IconDots } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { alertList } from "../../../api/alerts";
import { services } from "../../../api/services";
import type { Service } from "../../../api/types";
import type { ServiceType } from "../../../api/ui.gen";
import { IconButton } from "../../../components/controls";
import { EmptyState } from "../../../components/EmptyState";
import { Menu } from "../../../components/Menu";
import { actions, TableHead } from "../../../components/TableHead";
import table from "../../../components/table.module.css";
import { count, took } from "../../../lib/format";
import { ServiceIcon } from "../../../services/ServiceIcon";
import own from "../../../services/Services.module.css";
import { toast } from "../../../toasts/toast";
import { LastDelivery } from "./LastDelivery";

type Props = {
  items: Service[];
  types: ServiceType[];
  q: string;
  open: (what: string) => void;
  editable: boolean;
};

const columns = [
  { label: "Title" },
  { label: "Type", wide: true },
  { label: "Used by", wide: true },
  { label: "Last delivery", wide: true },
  actions,
];

/** Services that hold what is looked for, in title or kind. */
export function ServiceTable({ items, types, q, open, editable }: Props) {
  const titleOf = (type: string) => types.find((t) => t.type === type)?.title ?? type;
  const words = q.trim().toLowerCase();
  const shown = items.filter((s) => `${s.title} ${titleOf(s.type)}`.toLowerCase().includes(words));
  return (
    <div className={table.panel}>
      <table className={table.table}>
        <TableHead columns={columns} quiet />
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

/** "9 alerts", "no alert" */
function useUsedBy(id: number): string {
  const { data } = useQuery(alertList());
  if (!data) return "";
  const uses = data.alerts.filter((a) => a.services.some((s) => s.id === id)).length;
  return uses === 0 ? "no alert" : count(uses, "alert");
}

type RowProps = { service: Service; type: string; open: (what: string) => void; editable: boolean };

function Row({ service, type, open, editable }: RowProps) {
  const used = useUsedBy(service.id);
  const id = String(service.id);
  return (
    // The title is the button for keyboards; the row is a larger target for the mouse.
    <tr data-link onClick={() => open(id)}>
      <td>
        <span className={own.title}>
          <ServiceIcon type={service.type} />
          <button
            type="button"
            data-row
            className={`${table.name} ${own.open}`}
            onClick={(e) => {
              e.stopPropagation();
              open(id);
            }}
          >
            {service.title}
          </button>
        </span>
        <div className={`t2 ${table.only} ${own.under}`}>
          {used} · <LastDelivery id={service.id} />
        </div>
      </td>
      <td className={table.hide}>{type}</td>
      <td className={`t2 ${table.hide}`}>{used}</td>
      <td className={table.hide}>
        <LastDelivery id={service.id} />
      </td>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: only keeps clicks on the menu from opening the row */}
      <td className={table.right} onClick={(e) => e.stopPropagation()}>
        {editable && <RowMenu service={service} open={open} />}
      </td>
    </tr>
  );
}

async function sendTest(service: Service): Promise<void> {
  toast(`Sending a test to ${service.title}…`);
  try {
    const got = await services.test(service.id);
    toast(`${service.title}: ${got.answer} in ${took(got.duration_ms)}`, got.ok ? {} : { tone: "error" });
  } catch (err) {
    toast((err as Error).message, { tone: "error" });
  }
}

function RowMenu({ service, open }: { service: Service; open: (what: string) => void }) {
  return (
    <Menu
      label={`Actions for ${service.title}`}
      items={[
        { label: "Edit", run: () => open(String(service.id)) },
        { label: "Send test", run: () => void sendTest(service) },
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
