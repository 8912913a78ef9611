import { members } from "../../../api/org";
import { useChange } from "../../../api/resource";
import type { Role } from "../../../api/session";
import type { Member } from "../../../api/ui.gen";
import { Button } from "../../../components/Button";
import { useConfirm } from "../../../components/confirm";
import { Select } from "../../../components/fields";
import classes from "../../../components/settingsPages.module.css";
import table from "../../../components/table.module.css";
import { day } from "../../../lib/format";
import { roleOf, roles } from "../../../lib/memberRoles";
import { goTo } from "../../../lib/prefix";
import { useSession } from "../../../shell/useSession";
import { toast } from "../../../toasts/toast";

type Props = {
  member: Member;
  editable: boolean;
  /** Nobody else could manage the organization. */
  lastAdmin: boolean;
};

/** One person: their role is changed in place. What is not possible now says why. */
export function MemberRow({ member, editable, lastAdmin }: Props) {
  const { user, org } = useSession();
  const setRole = useChange(["members"], members.setRole);
  const you = member.user_id === user.id;
  const reason = lastAdmin ? `The last Admin stays: somebody has to manage ${org.name}.` : undefined;
  const failed = (err: Error) => toast(err.message, { tone: "error" });
  return (
    <tr>
      <td>
        <div>
          <span className={table.name}>{member.name || member.email}</span>
          {you && <span className={classes.mark}>you</span>}
          {member.second_factor && <span className={classes.mark}>second factor</span>}
        </div>
        {member.name && <div className="t2 breaks">{member.email}</div>}
      </td>
      <td>
        {editable ? (
          <span data-tip={reason}>
            <Select
              small
              aria-label={`Role of ${member.email}`}
              value={member.role}
              options={roles}
              disabled={lastAdmin}
              onChange={(role) => setRole.mutate({ id: member.user_id, role: role as Role }, { onError: failed })}
            />
          </span>
        ) : (
          roleOf(member.role).label
        )}
      </td>
      <td className={`t2 ${table.hide}`}>{day(member.created_at)}</td>
      <td className={table.right}>
        {editable && !you && <SignOut member={member} />}
        {editable && !you && <Remove member={member} />}
        {you && <Leave reason={reason} />}
      </td>
    </tr>
  );
}

/** Ends all sessions of somebody, such as after a laptop was stolen. */
function SignOut({ member }: { member: Member }) {
  const end = useChange(["members"], members.signOut);
  const confirm = useConfirm();
  const ask = () =>
    confirm({
      title: `Sign ${member.email} out?`,
      text: "All their sessions end at once, on every device and in every organization. They can sign in again.",
      action: "Sign out",
      act: async () => {
        await end.mutateAsync(member.user_id);
        toast(`${member.email} is signed out.`);
      },
    });
  return (
    <Button variant="subtle" size="xs" onClick={ask}>
      Sign out
    </Button>
  );
}

function Remove({ member }: { member: Member }) {
  const remove = useChange(["members"], members.remove);
  const confirm = useConfirm();
  const ask = () =>
    confirm({
      title: `Remove ${member.email}?`,
      text: "They are signed out at once and can be added again.",
      action: "Remove member",
      danger: true,
      act: () => remove.mutateAsync(member.user_id),
    });
  return (
    <Button variant="subtle" size="xs" onClick={ask}>
      Remove
    </Button>
  );
}

/** Anybody may leave, whatever they may do here. */
function Leave({ reason }: { reason: string | undefined }) {
  const { org, orgs } = useSession();
  const confirm = useConfirm();
  const ask = async () => {
    const left = await confirm({
      title: `Leave ${org.name}?`,
      text: `${orgs.length > 1 ? "You do not see it any more." : "You belong to no other organization and are signed out."} An Admin can invite you again.`,
      action: "Leave",
      danger: true,
      act: members.leave,
    });
    if (left) goTo("/"); // a fresh page: nothing of it is left
  };
  return (
    <span data-tip={reason}>
      <Button variant="subtle" size="xs" disabled={Boolean(reason)} onClick={ask}>
        Leave
      </Button>
    </span>
  );
}
