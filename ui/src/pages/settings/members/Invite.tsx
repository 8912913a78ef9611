import { useState } from "react";
import { invitations } from "../../../api/org";
import { useChange } from "../../../api/resource";
import type { Role } from "../../../api/session";
import type { NewInvitation } from "../../../api/ui.gen";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { Field, Input, Select } from "../../../components/fields";
import { Modal } from "../../../components/overlays";
import { FormError, fieldError } from "../../../components/problems";
import classes from "../../../components/settingsPages.module.css";
import { day } from "../../../lib/format";
import { roleOf, roles } from "../../../lib/memberRoles";

/** What gives somebody who is invited another link. */
export const againWords = (mail: boolean) => (mail ? "Send again" : "New link");

/** What is wrong with an address; who is invited already gets another link from the list. */
function emailProblem(error: unknown, mail: boolean): string | undefined {
  const said = fieldError(error, "email");
  if (!said?.endsWith("is invited already.")) return said;
  return `${said} ${againWords(mail)} in the list ${mail ? "mails" : "makes"} another link.`;
}

/** Asks a person to join: who, and what they may do. They join by accepting. */
export function Invite({ mail, close }: { mail: boolean; close: () => void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const invite = useChange(["invitations"], invitations.create);
  if (invite.data) return <Invited invitation={invite.data} close={close} />;
  return (
    <Modal opened onClose={close} title="Invite member">
      <form
        className={classes.form}
        noValidate
        onSubmit={(e) => {
          e.preventDefault();
          invite.mutate({ email, role });
        }}
      >
        <Field label="E-mail" error={emailProblem(invite.error, mail)}>
          {(id) => (
            <Input
              id={id}
              type="email"
              data-autofocus
              value={email}
              onChange={(e) => setEmail(e.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Role" error={fieldError(invite.error, "role")} hint={roleOf(role).sentence}>
          {(id) => <Select id={id} value={role} onChange={(v) => setRole(v as Role)} options={roles} />}
        </Field>
        <FormError error={invite.error} fields={["email", "role"]} />
        <div className={classes.actions}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending}>
            Invite
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** What becomes of an invitation: a mail, or a link to pass on. */
export function Invited({ invitation, close }: { invitation: NewInvitation; close: () => void }) {
  const { email, url, expires_at } = invitation;
  return (
    <Modal opened onClose={close} title={`${email} is invited`}>
      {url ? (
        <div className={classes.form}>
          <p className="t2">
            {`Send them this link; it is shown this once. With it they join, once, until ${day(expires_at)}. Links from before work no longer.`}
          </p>
          <p className={`mono ${classes.secret}`}>{url}</p>
          <CopyButton text={url} label="Copy link" />
        </div>
      ) : (
        <p className="t2">{`A mail with a link is on its way. With it they join, once, until ${day(expires_at)}.`}</p>
      )}
    </Modal>
  );
}
