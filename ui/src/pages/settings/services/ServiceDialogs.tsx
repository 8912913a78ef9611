import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Service } from "../../../api/types";
import type { ServiceType } from "../../../api/ui.gen";
import { ChooseType } from "../../../services/ChooseType";
import { ServiceDrawer } from "../../../services/ServiceDrawer";
import { useSession } from "../../../shell/useSession";
import { DeleteService } from "./DeleteService";

/** What the address says is open: a service, its deletion, or a new one of a type. */
export function ServiceDialogs({ items, types }: { items: Service[]; types: ServiceType[] }) {
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
