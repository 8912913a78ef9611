import { useQuery } from "@tanstack/react-query";
import { members } from "../../../api/org";
import { Input, Select } from "../../../components/fields";
import { SearchField } from "../../../components/SearchField";
import settings from "../../../components/settingsPages.module.css";
import { kinds } from "../../../lib/audit";

type Find = { q?: string; who?: string; from?: string; did?: string; days?: string };

const times = [
  { value: "", label: "Any time" },
  { value: "1", label: "Last 24 hours" },
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" },
];

/** Who there is to look for: people, and those who are none. */
function useActors() {
  const { data } = useQuery(members.list);
  return [
    { value: "", label: "Anybody" },
    ...(data ?? []).map((m) => ({ value: `user:${m.email}`, label: m.email })),
    { value: "token:", label: "Tokens" },
    { value: "cli", label: "The operator" },
    { value: "server", label: "The server" },
  ];
}

/** What is looked for in the log. */
export function AuditFilters({ find, change }: { find: Find; change: (to: Find) => void }) {
  const actors = useActors();
  return (
    <div className={settings.row}>
      <SearchField
        value={find.q ?? ""}
        onChange={(q) => change({ q })}
        placeholder="Name, e-mail, address"
        label="Search the audit log"
        keyHint="/"
      />
      <Select aria-label="Who" small options={actors} value={find.who ?? ""} onChange={(who) => change({ who })} />
      <Input
        aria-label="From which address"
        placeholder="From address"
        mono
        style={{ width: 150 }}
        value={find.from ?? ""}
        onChange={(e) => change({ from: e.currentTarget.value })}
      />
      <Select aria-label="Did" small options={kinds} value={find.did ?? ""} onChange={(did) => change({ did })} />
      <Select aria-label="When" small options={times} value={find.days ?? ""} onChange={(days) => change({ days })} />
    </div>
  );
}
