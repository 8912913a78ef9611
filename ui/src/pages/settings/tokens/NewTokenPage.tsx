import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { org } from "../../../api/org";
import { useChange } from "../../../api/resource";
import { type TokenRole, tokens } from "../../../api/tokens";
import type { Token } from "../../../api/types.gen";
import { Field, Input, Select } from "../../../components/fields";
import { FormError, fieldError } from "../../../components/problems";
import classes from "../../../components/Settings.module.css";
import { count } from "../../../lib/format";
import { roles } from "../../../lib/roles";
import { useSession } from "../../../shell/useSession";
import { Crumb } from "./Crumb";
import { NotAdmin } from "./NotAdmin";
import { RoleCard } from "./RoleCard";
import { ScopeFields } from "./ScopeFields";
import { Secret } from "./Secret";
import { narrowed, wholeOrg } from "./scope";
import own from "./Tokens.module.css";
import { dayField, endOf } from "./words";

const lifetimes = [
  { value: "", label: "Never" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "365 days" },
  { value: "date", label: "A date…" },
];

/** Those that the organization allows; without an end it is the longest. */
const lifetimesWithin = (most: number) =>
  lifetimes
    .filter((l) => most === 0 || !(Number(l.value) > most))
    .map((l) => (l.value === "" && most > 0 ? { value: "", label: `In ${count(most, "day")}` } : l));

/** Generate New API Token. A page, not a dialog: a click outside must not lose a secret. */
export function NewTokenPage() {
  const { canManage } = useSession();
  const [fresh, setFresh] = useState<Token>();
  const navigate = useNavigate();
  if (!canManage) return <NotAdmin />;
  return (
    <>
      <Crumb />
      <h2 className={classes.step}>{fresh ? `${fresh.name} is ready` : "Generate New API Token"}</h2>
      {fresh ? (
        <Secret
          key={fresh.id}
          token={fresh}
          done={() => navigate({ to: "/settings/tokens" })}
          another={() => setFresh(undefined)}
        />
      ) : (
        <Form made={setFresh} />
      )}
    </>
  );
}

function Form({ made }: { made: (t: Token) => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<TokenRole>("recorder");
  const [life, setLife] = useState("");
  const [date, setDate] = useState("");
  const [old, setOld] = useState<string>();
  const [scope, setScope] = useState(wholeOrg);
  const { data } = useQuery(org.one);
  const most = data?.token_max_days ?? 0;
  const create = useChange(["tokens"], tokens.create);
  const submit = () => {
    const end = endOf(life, date);
    const draft = {
      name,
      role,
      ...(end && { expires_at: end }),
      ...(old && { import_token: old.trim() }),
      ...narrowed(scope, role),
    };
    create.mutate(draft, { onSuccess: made });
  };
  return (
    <form
      className={classes.form}
      style={{ marginTop: 12 }}
      onSubmit={(e) => {
        e.preventDefault();
        submit();
      }}
    >
      <Field
        label="Name"
        error={fieldError(create.error, "name")}
        hint="Name it after what uses it. One token per service is easy to stop later."
      >
        {(id) => (
          <Input
            id={id}
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
            autoFocus
            required
            className={own.name ?? ""}
          />
        )}
      </Field>
      <fieldset className={own.roles}>
        <legend>Role</legend>
        {roles.map((r) => (
          <RoleCard key={r.role} text={r} chosen={role === r.role} choose={() => setRole(r.role)} />
        ))}
      </fieldset>
      <ScopeFields draft={scope} onChange={setScope} role={role} error={create.error} />
      <div className={own.rest}>
        <Field
          label="Expires"
          error={fieldError(create.error, "expires_at")}
          {...(most > 0 && { hint: `${data?.name} allows ${count(most, "day")} at most.` })}
        >
          {(id) => (
            <>
              <Select id={id} value={life} onChange={setLife} options={lifetimesWithin(most)} />
              {life === "date" && (
                <Input
                  type="date"
                  aria-label="Last day"
                  required
                  min={dayField(new Date())}
                  value={date}
                  onChange={(e) => setDate(e.currentTarget.value)}
                />
              )}
            </>
          )}
        </Field>
        <OldValue value={old} onChange={setOld} error={fieldError(create.error, "import_token")} />
      </div>
      <FormError error={create.error} fields={["name", "role", "expires_at", "import_token", "scope", "networks"]} />
      <div style={{ display: "flex", gap: 10 }}>
        <Button type="submit" loading={create.isPending}>
          Generate token
        </Button>
        <Button variant="subtle" color="gray" component={Link} to="/settings/tokens">
          Cancel
        </Button>
      </div>
    </form>
  );
}

type OldValueProps = { value: string | undefined; onChange: (v: string) => void; error: string | undefined };

/** A fresh value, or the one that agents already use. */
function OldValue({ value, onChange, error }: OldValueProps) {
  if (value === undefined)
    return (
      <div className={own.fresh}>
        <b>Value</b>
        <span>
          Generated by Tidemark
          <button type="button" onClick={() => onChange("")}>
            Import an old token value…
          </button>
        </span>
      </div>
    );
  return (
    <Field
      label="Old token value"
      error={error}
      hint="Paste the 64-digit token your agents already use. Only its hash is stored; your agents then need only the new host name."
    >
      {(id) => <Input id={id} mono autoFocus value={value} onChange={(e) => onChange(e.currentTarget.value)} />}
    </Field>
  );
}
