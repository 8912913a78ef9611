import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { org } from "../../../api/org";
import { wrongFields } from "../../../api/required";
import { useChange } from "../../../api/resource";
import { type TokenRole, tokens } from "../../../api/tokens";
import type { Token } from "../../../api/types.gen";
import { Button, LinkButton } from "../../../components/Button";
import { Field, Input, Select } from "../../../components/fields";
import { Panel } from "../../../components/Panel";
import { FormError, fieldError } from "../../../components/problems";
import classes from "../../../components/settingsPages.module.css";
import { count, day } from "../../../lib/format";
import { roles } from "../../../lib/roles";
import { useDebounced } from "../../../lib/useDebounced";
import { useSession } from "../../../shell/useSession";
import { CanDo, IfSendersUsedIt, Refusals, Sentence } from "./CanDo";
import { Crumb } from "./Crumb";
import { IfUnused } from "./IfUnused";
import own from "./NewToken.module.css";
import { NotAdmin } from "./NotAdmin";
import { RoleCard } from "./RoleCard";
import { ScopeFields } from "./ScopeFields";
import { Secret } from "./Secret";
import { narrowed, sentenceOf, wholeOrg } from "./scope";
import { dateProblem, dayField, endOf } from "./words";

const lifetimes = ["30", "90", "365"];

/** "In 90 days, 16 Feb 2027"; those that the organization allows. Without an end it is the longest. */
function lifetimesWithin(most: number) {
  const after = (days: string) => ({ value: days, label: `In ${days} days, ${day(endOf(days, "") ?? 0)}` });
  return [
    { value: "", label: most > 0 ? `In ${count(most, "day")}, the longest` : "Never" },
    ...lifetimes.filter((days) => most === 0 || Number(days) < most).map(after),
    { value: "date", label: "A date…" },
  ];
}

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
  const [idle, setIdle] = useState("0");
  const [old, setOld] = useState<string>();
  const [scope, setScope] = useState(wholeOrg);
  const { data } = useQuery(org.one);
  const most = data?.token_max_days ?? 0;
  const create = useChange(["tokens"], async (body: Parameters<typeof tokens.create>[0]) => {
    const wrong = life === "date" && dateProblem(date);
    if (wrong) throw wrongFields({ expires_at: wrong });
    return tokens.create(body);
  });
  const limits = narrowed(scope, role);
  const checked = useDebounced(JSON.stringify({ role, ...limits }), 300);
  const preview = useQuery(tokens.preview(JSON.parse(checked)));
  const end = endOf(life, date);
  const sentence = sentenceOf(role, scope, end ?? (most > 0 ? endOf(String(most), "") : undefined));
  const submit = () => {
    const imported = old && { import_token: old.trim() };
    const ends = { ...(end && { expires_at: end }), ...(idle !== "0" && { idle_days: Number(idle) }) };
    create.mutate({ name, role, ...ends, ...imported, ...limits }, { onSuccess: made });
  };
  return (
    <form
      noValidate
      className={own.page}
      onSubmit={(e) => {
        e.preventDefault();
        submit();
      }}
    >
      <div className={own.main}>
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
        <ScopeFields draft={scope} onChange={setScope} role={role} preview={preview.data} error={create.error} />
        <Panel className={`${own.part} ${own.rest}`}>
          <Expires
            life={life}
            date={date}
            set={(l, d) => {
              setLife(l);
              setDate(d);
            }}
            most={most}
            org={data?.name ?? ""}
            error={fieldError(create.error, "expires_at")}
          />
          <IfUnused days={idle} onChange={setIdle} error={fieldError(create.error, "idle_days")} />
          <OldValue value={old} onChange={setOld} error={fieldError(create.error, "import_token")} />
        </Panel>
      </div>
      <aside className={own.aside}>
        <CanDo role={role} scoped={limits.scope !== undefined} sentence={sentence} />
        {role !== "viewer" && <IfSendersUsedIt preview={preview.data} error={preview.error} />}
        {limits.scope && <Refusals name={name} />}
      </aside>
      <div className={own.foothold}>
        <FormError
          error={create.error}
          fields={["name", "role", "expires_at", "idle_days", "import_token", "scope", "networks"]}
        />
        <p className={own.brief} aria-hidden>
          <Sentence pieces={sentence} />
        </p>
        <Button type="submit" loading={create.isPending}>
          Generate token
        </Button>
        <LinkButton variant="subtle" to="/settings/tokens">
          Cancel
        </LinkButton>
      </div>
    </form>
  );
}

type ExpiresProps = {
  life: string;
  date: string;
  set: (life: string, date: string) => void;
  most: number;
  org: string;
  error: string | undefined;
};

/** When the token ends, within what the organization allows. */
function Expires({ life, date, set, most, org, error }: ExpiresProps) {
  return (
    <div>
      <Field
        label="Expires"
        error={life === "date" ? undefined : error}
        hint={most > 0 ? `${org} allows ${count(most, "day")} at most.` : "From then on it is refused."}
      >
        {(id) => <Select id={id} value={life} onChange={(v) => set(v, date)} options={lifetimesWithin(most)} />}
      </Field>
      {life === "date" && (
        <Field label="Last day" hideLabel error={error}>
          {(id) => (
            <Input
              id={id}
              type="date"
              min={dayField(new Date())}
              value={date}
              onChange={(e) => set(life, e.currentTarget.value)}
            />
          )}
        </Field>
      )}
    </div>
  );
}

type OldValueProps = { value: string | undefined; onChange: (v: string) => void; error: string | undefined };

/** A fresh value, or the one that agents already use. */
function OldValue({ value, onChange, error }: OldValueProps) {
  if (value === undefined)
    return (
      <div className={own.value}>
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
