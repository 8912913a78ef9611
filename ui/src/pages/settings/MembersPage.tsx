import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Member, members } from "../../api/org";
import { useChange } from "../../api/resource";
import type { Role } from "../../api/session";
import { CopyButton } from "../../components/CopyButton";
import { useConfirm } from "../../components/confirm";
import { Field, Input, Select } from "../../components/fields";
import { Modal } from "../../components/overlays";
import { ErrorCard, FormError, fieldError } from "../../components/problems";
import { SkeletonRows } from "../../components/Skeleton";
import { day } from "../../lib/format";
import { note } from "../../notes/notes";
import { useSession } from "../../shell/useSession";
import { Head } from "./Head";
import classes from "./Settings.module.css";

const roles = [
  { value: "admin", label: "Admin" },
  { value: "member", label: "Member" },
  { value: "viewer", label: "Viewer" },
];

export function MembersPage() {
  const { canManage, org } = useSession();
  const [adding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery(members.list);
  return (
    <>
      <Head
        title="Members"
        lead={`People who can sign in to ${org.name}. Members change everything but tokens, members and services’ secrets; Viewers look.`}
        action={canManage && <Button onClick={() => setAdding(true)}>Add member</Button>}
      />
      {error && <ErrorCard error={error} retry={refetch} what="the members" />}
      {!data && !error && <SkeletonRows rows={4} />}
      {data && (
        <div className={classes.panel}>
          <table className={`${classes.table} ${classes.fixed}`}>
            <thead>
              <tr>
                <th>Person</th>
                <th className={classes.choice}>Role</th>
                <th className={classes.hide}>Since</th>
                <th className={classes.act}>
                  <span className="sr">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((m) => (
                <Row key={m.user_id} member={m} editable={canManage} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {adding && <Add close={() => setAdding(false)} />}
    </>
  );
}

function Row({ member, editable }: { member: Member; editable: boolean }) {
  const setRole = useChange(["members"], members.setRole);
  const remove = useChange(["members"], members.remove);
  const confirm = useConfirm();
  const failed = (err: Error) => note(err.message, { tone: "error" });
  return (
    <tr>
      <td>
        <div className={`cut ${classes.name}`}>{member.name || member.email}</div>
        {member.name && <div className="t2 cut">{member.email}</div>}
      </td>
      <td>
        {editable ? (
          <Select
            small
            aria-label={`Role of ${member.email}`}
            value={member.role}
            options={roles}
            onChange={(role) => setRole.mutate({ id: member.user_id, role: role as Role }, { onError: failed })}
          />
        ) : (
          roles.find((r) => r.value === member.role)?.label
        )}
      </td>
      <td className={`t2 ${classes.hide}`}>{day(member.created_at)}</td>
      <td className={classes.right}>
        {editable && (
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            onClick={() =>
              confirm({
                title: `Remove ${member.email}?`,
                text: "They are signed out at once and can be added again.",
                action: "Remove member",
                danger: true,
                act: () => remove.mutateAsync(member.user_id),
              })
            }
          >
            Remove
          </Button>
        )}
      </td>
    </tr>
  );
}

function Add({ close }: { close: () => void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const add = useChange(["members"], members.add);
  if (add.data)
    return (
      <Modal opened onClose={close} title={`${add.data.email} is a member`}>
        {add.data.invite ? (
          <>
            <p className="t2">Send them this link. It lets them choose a password, once, within a day.</p>
            <p className="mono" style={{ overflowWrap: "anywhere" }}>
              {add.data.invite}
            </p>
            <CopyButton text={add.data.invite} label="Copy link" />
          </>
        ) : (
          <p className="t2">They sign in as before and find {`this organization`} in the switcher.</p>
        )}
      </Modal>
    );
  return (
    <Modal opened onClose={close} title="Add member">
      <form
        className={classes.form}
        onSubmit={(e) => {
          e.preventDefault();
          add.mutate({ email, role });
        }}
      >
        <Field label="E-mail" error={fieldError(add.error, "email")}>
          {(id) => (
            <Input
              id={id}
              type="email"
              required
              data-autofocus
              value={email}
              onChange={(e) => setEmail(e.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Role" error={fieldError(add.error, "role")}>
          {(id) => <Select id={id} value={role} onChange={(v) => setRole(v as Role)} options={roles} />}
        </Field>
        <FormError error={add.error} fields={["email", "role"]} />
        <div style={{ display: "flex", justifyContent: "flex-end", gap: 10 }}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending}>
            Add member
          </Button>
        </div>
      </form>
    </Modal>
  );
}
