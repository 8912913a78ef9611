import { useState } from "react";
import type { ServiceType } from "../api/ui.gen";
import { EmptyState } from "../components/EmptyState";
import { DrawerPage } from "../components/overlays";
import { SearchField } from "../components/SearchField";
import { ServiceIcon } from "./ServiceIcon";
import own from "./Services.module.css";

/** The first question about a new service: what it is. */
export function ChooseType({
  types,
  choose,
  close,
}: {
  types: ServiceType[];
  choose: (type: string) => void;
  close: () => void;
}) {
  const [q, setQ] = useState("");
  const there = types
    .filter((t) => !t.dead && t.title.toLowerCase().includes(q.trim().toLowerCase()))
    .sort((a, b) => a.title.localeCompare(b.title));
  return (
    <DrawerPage opened onClose={close} above="Notification Services" title="Add service">
      <div className={own.find}>
        <SearchField value={q} onChange={setQ} placeholder="Find a kind of service" autoFocus />
      </div>
      <div className={own.kinds}>
        {there.map((t) => (
          <button key={t.type} type="button" className={own.kind} onClick={() => choose(t.type)}>
            <ServiceIcon type={t.type} size={19} />
            {t.title}
          </button>
        ))}
      </div>
      {there.length === 0 && (
        <EmptyState title={`No kind of service is called ${q}.`}>A webhook reaches everything else.</EmptyState>
      )}
    </DrawerPage>
  );
}
