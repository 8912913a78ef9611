import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { services } from "../../api/services";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { ErrorCard } from "../../components/problems";
import { SearchField } from "../../components/SearchField";
import { SkeletonRows } from "../../components/Skeleton";
import classes from "../../components/settingsPages.module.css";
import { useShortcuts } from "../../shell/shortcuts";
import { useSession } from "../../shell/useSession";
import { SettingsHead } from "./SettingsHead";
import { ServiceDialogs } from "./services/ServiceDialogs";
import { ServiceTable } from "./services/ServiceTable";

/** Fewer are seen at a glance. */
const worthSearching = 8;

/** Notification Services: where notifications go, and whether they arrive. */
export function ServicesPage() {
  const { canEdit } = useSession();
  const { q = "" } = useSearch({ from: "/shell/settings/services" });
  const navigate = useNavigate();
  const list = useQuery(services.list());
  const types = useQuery(services.types);
  const search = (change: { q?: string; open?: string }, replace = false) =>
    void navigate({ to: "/settings/services", search: (old) => ({ ...old, ...change }), replace });
  const open = (what: string) => search({ open: what });
  useShortcuts(canEdit ? [{ keys: "c", label: "Add service", run: () => open("new") }] : []);
  const error = list.error ?? types.error;
  const items = list.data?.items;
  const add = canEdit && (
    <Button leftSection={<IconPlus size={15} stroke={1.6} />} onClick={() => open("new")}>
      Add service
    </Button>
  );
  return (
    <>
      <SettingsHead
        title="Notification Services"
        viewOnly={!canEdit}
        lead="Where notifications go: mailboxes, chats, pagers, addresses."
        action={items && items.length > 0 && add}
      />
      {error && <ErrorCard error={error} retry={list.refetch} what="the services" />}
      {!error && !(items && types.data) && <SkeletonRows rows={4} />}
      {items?.length === 0 && <EmptyState title="No services yet. Without one, alerts only show here." actions={add} />}
      {items && types.data && items.length > 0 && (
        <>
          {items.length > worthSearching && (
            <div className={classes.row}>
              <SearchField value={q} onChange={(v) => search({ q: v }, true)} placeholder="Find by title or type" />
            </div>
          )}
          <ServiceTable items={items} types={types.data} q={q} open={open} editable={canEdit} />
          <p className={classes.foot}>
            Each delivery is tried again, at growing intervals, until the service takes it. Secrets are never shown in
            logs or answers.
          </p>
        </>
      )}
      {items && types.data && <ServiceDialogs items={items} types={types.data} />}
    </>
  );
}
