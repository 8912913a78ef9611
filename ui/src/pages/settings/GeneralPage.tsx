import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { org } from "../../api/org";
import { useChange } from "../../api/resource";
import { Button } from "../../components/Button";
import { Field, Input, Select, Switch } from "../../components/fields";
import { ErrorCard, FormError, fieldError } from "../../components/problems";
import { Skeleton } from "../../components/Skeleton";
import classes from "../../components/settingsPages.module.css";
import table from "../../components/table.module.css";
import { count, day, duration, step } from "../../lib/format";
import { useSession } from "../../shell/useSession";
import { toast } from "../../toasts/toast";
import { SettingsHead } from "./SettingsHead";

const year = 365.25 * 86_400;

export function GeneralPage() {
  const { canManage } = useSession();
  const { data, error, refetch } = useQuery(org.one);
  if (error) return <ErrorCard error={error} retry={refetch} />;
  if (!data) return <Skeleton height={240} />;
  return (
    <>
      <SettingsHead
        title="General"
        viewOnly={!canManage}
        lead={`${data.name} is here since ${day(data.created_at)}.`}
      />
      {canManage && <Rename key={data.name} name={data.name} />}
      {canManage && <ShortName key={data.short_name} name={data.short_name} id={data.id} />}
      {canManage && <EarlyAlerts on={data.alerts_before_metrics} />}
      {canManage && <TokenAge days={data.token_max_days} />}
      {canManage && <DemandSecondFactor on={data.second_factor} />}
      <div className={classes.section}>
        <h3>How long measurements are kept</h3>
      </div>
      <div className={`${table.panel} ${classes.list}`} style={{ maxWidth: 720 }}>
        {data.retention.map((t) => (
          <div key={t.window} className={classes.item}>
            <span>{t.window === 1 ? "As they were sent" : `Summaries of ${step(t.window)}`}</span>
            <span className="num">
              {t.retention >= 2 * year ? count(Math.round(t.retention / year), "year") : duration(t.retention)}
            </span>
          </div>
        ))}
      </div>
    </>
  );
}

function Rename({ name: old }: { name: string }) {
  const client = useQueryClient();
  const [name, setName] = useState(old);
  const rename = useChange(["org"], org.rename);
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(e) => {
        e.preventDefault();
        rename.mutate(name, {
          onSuccess: () => {
            client.invalidateQueries({ queryKey: ["session"] });
            toast("The organization is renamed.");
          },
        });
      }}
    >
      <Field label="Name of the organization" hint="As people here call it." error={fieldError(rename.error, "name")}>
        {(id) => (
          <Input
            id={id}
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
            style={{ maxWidth: "var(--short)" }}
          />
        )}
      </Field>
      <FormError error={rename.error} fields={["name"]} />
      <div>
        <Button type="submit" disabled={name === old} loading={rename.isPending}>
          Save changes
        </Button>
      </div>
    </form>
  );
}

/** What addresses of pages call the organization. Those with its number go on working. */
function ShortName({ name: old, id: org_id }: { name: string; id: number }) {
  const client = useQueryClient();
  const [name, setName] = useState(old);
  const save = useChange(["org"], org.setShortName);
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(e) => {
        e.preventDefault();
        save.mutate(name, {
          onSuccess: () => {
            client.invalidateQueries({ queryKey: ["session"] });
            toast("The short name is saved.");
          },
        });
      }}
    >
      <Field
        label="Short name in addresses"
        error={fieldError(save.error, "short_name")}
        hint={`Pages are at /o/${name || org_id}/… Links with the number ${org_id} go on working; those with an earlier short name do not.`}
      >
        {(id) => (
          <Input
            id={id}
            mono
            value={name}
            placeholder={String(org_id)}
            onChange={(e) => setName(e.currentTarget.value)}
            style={{ maxWidth: "var(--short)" }}
          />
        )}
      </Field>
      <FormError error={save.error} fields={["short_name"]} />
      <div>
        <Button type="submit" disabled={name === old} loading={save.isPending}>
          Save short name
        </Button>
      </div>
    </form>
  );
}

const ages = [0, 30, 90, 180, 365];

/** How long new tokens may be valid. Those there are stay as they are. */
function TokenAge({ days }: { days: number }) {
  const limit = useChange(["org"], org.limitTokenAge);
  const choices = [...new Set([...ages, days])].sort((a, b) => a - b);
  return (
    <>
      <div className={classes.section}>
        <h3>API tokens</h3>
      </div>
      <div className={classes.form}>
        <Field
          label="New tokens expire after"
          error={fieldError(limit.error, "token_max_days")}
          hint="Tokens that are there already keep their end; the list shows it, and warns 14 days before."
        >
          {(id) => (
            <Select
              id={id}
              value={String(limit.isPending ? limit.variables : days)}
              onChange={(v) => limit.mutate(Number(v))}
              options={choices.map((n) => ({
                value: String(n),
                label: n === 0 ? "Never, if so chosen" : `${n} days at most`,
              }))}
              style={{ maxWidth: "var(--short)" }}
            />
          )}
        </Field>
        <FormError error={limit.error} fields={["token_max_days"]} />
      </div>
    </>
  );
}

/** For those who make alerts by Terraform, before anything is measured. */
function EarlyAlerts({ on }: { on: boolean }) {
  const allow = useChange(["org"], org.allowEarlyAlerts);
  return (
    <>
      <div className={classes.section}>
        <h3>Alerts</h3>
      </div>
      <div className={`${table.panel} ${classes.list}`} style={{ maxWidth: 720 }}>
        <div className={classes.item}>
          <span>
            <b>Alerts may name metrics that do not exist yet</b>
            <small>For Terraform, which makes alerts before the first measurement arrives.</small>
          </span>
          <Switch
            hidden
            label="Alerts may name metrics that do not exist yet"
            checked={allow.isPending ? allow.variables : on}
            disabled={allow.isPending}
            onChange={(to) => allow.mutate(to)}
          />
        </div>
      </div>
      <FormError error={allow.error} fields={[]} />
    </>
  );
}

/** Members without a second factor are led to set one up, and can do nothing else here before. */
function DemandSecondFactor({ on }: { on: boolean }) {
  const demand = useChange(["org"], org.demandSecondFactor);
  return (
    <>
      <div className={classes.section}>
        <h3>Signing in</h3>
      </div>
      <div className={`${table.panel} ${classes.list}`} style={{ maxWidth: 720 }}>
        <div className={classes.item}>
          <span>
            <b>Members need a second factor</b>
            <small>Who has none sets one up first, and can do nothing else here before. Tokens go on working.</small>
          </span>
          <Switch
            hidden
            label="Members need a second factor"
            checked={demand.isPending ? demand.variables : on}
            disabled={demand.isPending}
            onChange={(to) => demand.mutate(to)}
          />
        </div>
      </div>
      <FormError error={demand.error} fields={[]} />
    </>
  );
}
