import { Button } from "@mantine/core";
import { useState } from "react";
import { members } from "../../../api/org";
import { useChange } from "../../../api/resource";
import type { Role } from "../../../api/session";
import { CopyButton } from "../../../components/CopyButton";
import { Field, Input, Select } from "../../../components/fields";
import { Modal } from "../../../components/overlays";
import { FormError, fieldError } from "../../../components/problems";
import { useSession } from "../../../shell/useSession";
import classes from "../Settings.module.css";
import { roleOf, roles } from "./roles";

/** A person joins: who, and what they may do. Who is new gets a link to choose a password. */
export function AddMember({ close }: { close: () => void }) {
  const { org } = useSession();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const add = useChange(["members"], members.add);
  if (add.data)
    return (
      <Modal opened onClose={close} title={`${add.data.email} is a member`}>
        {add.data.invite ? (
          <Invite link={add.data.invite} />
        ) : (
          <p className="t2">{`They sign in as before and find ${org.name} in the switcher.`}</p>
        )}
      </Modal>
    );
  return (
    <Modal opened onClose={close} title="Add member">
      <form
        className={classes.form}
        noValidate
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
              data-autofocus
              value={email}
              onChange={(e) => setEmail(e.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Role" error={fieldError(add.error, "role")} hint={roleOf(role).sentence}>
          {(id) => <Select id={id} value={role} onChange={(v) => setRole(v as Role)} options={roles} />}
        </Field>
        <FormError error={add.error} fields={["email", "role"]} />
        <div className={classes.actions}>
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

function Invite({ link }: { link: string }) {
  return (
    <>
      <p className="t2">Send them this link. It lets them choose a password, once, within a day.</p>
      <p className={`mono ${classes.secret}`}>{link}</p>
      <CopyButton text={link} label="Copy link" />
    </>
  );
}
