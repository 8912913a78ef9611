import { useState } from "react";
import { invitations } from "../../../api/org";
import { useChange } from "../../../api/resource";
import type { Invitation } from "../../../api/ui.gen";
import { Button } from "../../../components/Button";
import { useConfirm } from "../../../components/confirm";
import classes from "../../../components/settingsPages.module.css";
import table from "../../../components/table.module.css";
import { day } from "../../../lib/format";
import { roleOf } from "../../../lib/memberRoles";
import { toast } from "../../../toasts/toast";
import { againWords, Invited } from "./Invite";

/** Somebody who has not accepted yet. */
export function InvitationRow({ invitation, mail }: { invitation: Invitation; mail: boolean }) {
  const { id, email, role, expires_at } = invitation;
  const [renewed, setRenewed] = useState<Invitation>();
  const renew = useChange(["invitations"], invitations.renew);
  const remove = useChange(["invitations"], invitations.remove);
  const confirm = useConfirm();
  const again = () =>
    renew.mutate(id, { onSuccess: setRenewed, onError: (err: Error) => toast(err.message, { tone: "error" }) });
  const ask = () =>
    confirm({
      title: `Take back the invitation of ${email}?`,
      text: "Its link stops working at once. They can be invited again.",
      action: "Remove invitation",
      danger: true,
      act: () => remove.mutateAsync(id),
    });
  return (
    <tr>
      <td>
        <div>
          <span className={table.name}>{email}</span>
          <span className={classes.mark}>invited</span>
        </div>
        <div className="t2">{`Until ${day(expires_at)}`}</div>
      </td>
      <td>{roleOf(role).label}</td>
      <td className={`t2 ${table.hide}`}>Not yet</td>
      <td className={table.right}>
        <Button variant="subtle" size="xs" loading={renew.isPending} onClick={again}>
          {againWords(mail)}
        </Button>
        <Button variant="subtle" size="xs" onClick={ask}>
          Remove
        </Button>
        {renewed && <Invited invitation={renewed} close={() => setRenewed(undefined)} />}
      </td>
    </tr>
  );
}
