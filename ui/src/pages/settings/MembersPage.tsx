import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { invitations, members } from "../../api/org";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { ErrorCard } from "../../components/problems";
import { SearchField } from "../../components/SearchField";
import { SkeletonRows } from "../../components/Skeleton";
import classes from "../../components/settingsPages.module.css";
import { actions, TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { useShortcuts } from "../../shell/shortcuts";
import { useSession } from "../../shell/useSession";
import { InvitationRow } from "./members/InvitationRow";
import { Invite } from "./members/Invite";
import { MemberRow } from "./members/MemberRow";
import { SettingsHead } from "./SettingsHead";

const columns = [{ label: "Person" }, { label: "Role" }, { label: "Since", wide: true }, actions];

/** Fewer are seen at a glance. */
const worthSearching = 8;

/** Members: who can sign in, and as what. */
export function MembersPage() {
  const { canManage, org } = useSession();
  const [inviting, setInviting] = useState(false);
  const [q, setQ] = useState("");
  const { data, error, refetch } = useQuery(members.list);
  const invited = useQuery({ ...invitations.list, enabled: canManage });
  useShortcuts(canManage ? [{ keys: "c", label: "Invite member", run: () => setInviting(true) }] : []);
  const admins = data?.filter((m) => m.role === "admin").length;
  const words = q.trim().toLowerCase();
  const shown = data?.filter((m) => `${m.name} ${m.email}`.toLowerCase().includes(words));
  const mail = invited.data?.mail ?? false;
  const waiting = invited.data?.invitations.filter((i) => i.email.includes(words)) ?? [];
  return (
    <>
      <SettingsHead
        title="Members"
        viewOnly={!canManage}
        lead={`People who can sign in to ${org.name}. Members change everything but tokens, members and services’ secrets; Viewers look.`}
        action={
          canManage && (
            <Button leftSection={<IconPlus size={15} stroke={1.6} />} onClick={() => setInviting(true)}>
              Invite member
            </Button>
          )
        }
      />
      {error && <ErrorCard error={error} retry={refetch} what="the members" />}
      {invited.error && <ErrorCard error={invited.error} retry={invited.refetch} what="the invitations" />}
      {!data && !error && <SkeletonRows rows={4} />}
      {data && data.length > worthSearching && (
        <div className={classes.row}>
          <SearchField value={q} onChange={setQ} placeholder="Find by name or e-mail" />
        </div>
      )}
      {shown && (
        <div className={table.panel}>
          <table className={`${table.table} ${classes.fixed}`}>
            <TableHead columns={columns} />
            <tbody>
              {shown.map((m) => (
                <MemberRow
                  key={m.user_id}
                  member={m}
                  editable={canManage}
                  lastAdmin={m.role === "admin" && admins === 1}
                />
              ))}
              {waiting.map((i) => (
                <InvitationRow key={i.id} invitation={i} mail={mail} />
              ))}
            </tbody>
          </table>
          {shown.length + waiting.length === 0 && <EmptyState title={`Nobody matches ${q}.`} />}
        </div>
      )}
      {inviting && <Invite mail={mail} close={() => setInviting(false)} />}
    </>
  );
}
