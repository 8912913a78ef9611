import { IconX } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { checks } from "../../api/checks";
import { services } from "../../api/services";
import type { Place } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { discard, useConfirm } from "../../components/confirm";
import { IconButton } from "../../components/controls";
import { Field, Input, Select } from "../../components/fields";
import { FormError, fieldError } from "../../components/problems";
import { Segments } from "../../components/Segments";
import { certificateOf, heartbeatCommand, kinds, silentAfter } from "../../lib/checks";
import { usePhone } from "../../shell/usePhone";
import classes from "./Checks.module.css";
import { PlacesField } from "./PlacesField";
import { TryIt } from "./TryIt";

const spans = (list: [string, string][]) => list.map(([value, label]) => ({ value, label }));
const every = spans([
  ["30", "30 s"],
  ["60", "1 min"],
  ["300", "5 min"],
  ["900", "15 min"],
  ["3600", "1 h"],
  ["86400", "1 day"],
  ["604800", "1 week"],
]);
const grace = spans([
  ["60", "1 min"],
  ["300", "5 min"],
  ["1800", "30 min"],
  ["3600", "1 h"],
]);
const slower = spans([
  ["1", "1 s"],
  ["2", "2 s"],
  ["5", "5 s"],
  ["10", "10 s"],
  ["20", "20 s"],
]);
const slow = spans([
  ["0.5", "more than 0.5 s"],
  ["1", "more than 1 s"],
  ["2", "more than 2 s"],
  ["5", "more than 5 s"],
  ["0", "any time: it is never slow"],
]);
const after = spans([
  ["0", "at once"],
  ["120", "for 2 min"],
  ["300", "for 5 min"],
]);
const downIn = spans([
  ["any", "any place"],
  ["half", "half of the places"],
  ["all", "all places"],
]);
/** The kinds, in words that stand side by side. */
const choices = kinds.map((k) => (k.value === "tls" ? { ...k, label: "TLS" } : k));
const fields = ["name", "target", "every", "grace", "expect", "places", "slow"];

const empty = {
  name: "",
  target: "",
  every: "60",
  grace: "300",
  timeout: "10",
  slow: "1",
  expect: "",
  after: "0",
  downIn: "any",
  service: "",
  places: ["server"],
  silence: true,
  certificate: true,
};
type Values = typeof empty;

/** A check and its alerts, in one form. */
export default function NewCheck({
  kind: initial,
  places,
  close,
}: {
  kind: string;
  places: Place[];
  close: () => void;
}) {
  const [kind, setKind] = useState(initial);
  const [v, setV] = useState(empty);
  const [made, setMade] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const client = useQueryClient();
  const phone = usePhone();
  const set = (change: Partial<Values>) => setV((old) => ({ ...old, ...change }));
  const beat = kind === "heartbeat";
  const confirm = useConfirm();
  const leave = async () => {
    const unsaved = !made && JSON.stringify(v) !== JSON.stringify(empty);
    if (!unsaved || (await confirm(discard()))) close();
  };
  const submit = async (e: FormEvent) => {
    e.preventDefault();
    setBusy(true);
    try {
      const url = await save(kind, v);
      await client.invalidateQueries({ queryKey: ["checks"] });
      // A heartbeat's address is shown before the form is gone.
      if (url) setMade(url);
      else close();
    } catch (err) {
      setError(err);
    }
    setBusy(false);
  };
  return (
    <form className={classes.form} onSubmit={(e) => void submit(e)} noValidate>
      {!phone && (
        <header>
          <h2>{made ? "Call this address" : "New check"}</h2>
          <IconButton label="Close" onClick={() => void leave()}>
            <IconX size={16} stroke={1.6} />
          </IconButton>
        </header>
      )}
      {made ? (
        <Address url={made} close={close} />
      ) : (
        <>
          <div>
            <span className={classes.label}>Kind</span>
            <Segments label="Kind" small options={choices} value={kind} onChange={setKind} />
          </div>
          {!beat && (
            <Field label="Address" hint={kinds.find((k) => k.value === kind)?.asks} error={fieldError(error, "target")}>
              {(id) => (
                <Input
                  id={id}
                  mono
                  data-autofocus
                  value={v.target}
                  onChange={(e) => set({ target: e.currentTarget.value })}
                  placeholder={kinds.find((k) => k.value === kind)?.hint}
                />
              )}
            </Field>
          )}
          <div className={classes.pair}>
            <Field
              label={beat ? "A call every" : "Every"}
              hint={beat ? "How often your job calls the address." : "How often it is asked."}
              error={fieldError(error, "every")}
            >
              {(id) => (
                <Select
                  id={id}
                  data-autofocus={beat || undefined}
                  options={every}
                  value={v.every}
                  onChange={(x) => set({ every: x })}
                />
              )}
            </Field>
            {beat ? (
              <Field label="Grace" hint="How late a call may be." error={fieldError(error, "grace")}>
                {(id) => <Select id={id} options={grace} value={v.grace} onChange={(x) => set({ grace: x })} />}
              </Field>
            ) : (
              <Field label="From" hint="Who asks: the server, or agents elsewhere." error={fieldError(error, "places")}>
                {(id) => <PlacesField id={id} known={places} value={v.places} onChange={(p) => set({ places: p })} />}
              </Field>
            )}
          </div>
          <DownWhen kind={kind} values={v} set={set} error={error} />
          {hasAnswer(kind) && (
            <Field
              label="Is slow when an answer takes"
              hint="Slow is said in the list, and is not down."
              error={fieldError(error, "slow")}
            >
              {(id) => <Select id={id} options={slow} value={v.slow} onChange={(x) => set({ slow: x })} />}
            </Field>
          )}
          <Field label="Name" error={fieldError(error, "name")}>
            {(id) => (
              <Input
                id={id}
                value={v.name}
                onChange={(e) => set({ name: e.currentTarget.value })}
                placeholder={beat ? "Nightly backup" : "Shop front"}
              />
            )}
          </Field>
          {kind === "http" && certificateOf(v.target.trim()) && (
            <Tick
              label="Also watch its certificate, 21 days ahead"
              on={v.certificate}
              set={(certificate) => set({ certificate })}
            />
          )}
          {mayBeSilent(v) && !beat && (
            <Tick label="Also when an agent falls silent" on={v.silence} set={(silence) => set({ silence })} />
          )}
          <Notifies value={v.service} onChange={(service) => set({ service })} />
          {!beat && v.target.trim() !== "" && <TryIt draft={draft(kind, v)} />}
          <FormError error={error} fields={fields} />
          <div className={classes.actions}>
            <Button type="submit" loading={busy}>
              Save check
            </Button>
            <Button variant="subtle" onClick={() => void leave()}>
              Cancel
            </Button>
          </div>
        </>
      )}
    </form>
  );
}

const elsewhere = (v: Values) => v.places.some((p) => p !== "server");
/** Alerts wait for silence for an hour at most. */
const mayBeSilent = (v: Values) => elsewhere(v) && silentAfter(Number(v.every)) <= 3600;

/** How long it takes says something of these. */
const hasAnswer = (kind: string) => kind !== "heartbeat" && kind !== "tls";

const draft = (kind: string, v: Values) => ({
  name: v.name,
  kind,
  target: kind === "heartbeat" ? "" : v.target.trim(),
  every: Number(v.every),
  grace: Number(v.grace),
  timeout: Number(v.timeout),
  slow: hasAnswer(kind) ? Math.min(Number(v.slow), Number(v.timeout)) : 0,
  expect: kind === "http" || kind === "dns" ? v.expect : "",
  places: kind === "heartbeat" ? ["server"] : v.places,
});

/** Saves the check, and one of its certificate where that is wanted; returns the address of a heartbeat. */
async function save(kind: string, v: Values): Promise<string> {
  const alert = { services: v.service ? [Number(v.service)] : [], after: Number(v.after), down_in: v.downIn };
  const answer = await checks.create({
    ...draft(kind, v),
    ...alert,
    silence: kind !== "heartbeat" && mayBeSilent(v) && v.silence,
  });
  const target = kind === "http" && v.certificate ? certificateOf(v.target.trim()) : undefined;
  if (target) {
    const own = { name: `${v.name} certificate`, kind: "tls", target, every: 3600, places: v.places };
    await checks.create({ ...own, ...alert, silence: false });
  }
  return answer.url;
}

type DownProps = { kind: string; values: Values; set: (change: Partial<Values>) => void; error: unknown };

/** What has to be the case for the alert to fire, as sentences. */
function DownWhen({ kind, values: v, set, error }: DownProps) {
  const first = {
    http: "the answer is not 200 to 299",
    tcp: "it accepts no connection",
    tls: "the certificate is not valid, or ends within 21 days",
    dns: "the name has no address",
    heartbeat: "no call came in time",
  }[kind];
  return (
    <fieldset className={classes.down}>
      <legend>Is down when</legend>
      <p>{first}</p>
      {kind !== "heartbeat" && (
        <Line words="or slower than">
          <Select
            small
            aria-label="Slower than"
            options={slower}
            value={v.timeout}
            onChange={(x) => set({ timeout: x })}
          />
        </Line>
      )}
      {(kind === "http" || kind === "dns") && (
        <Line words={kind === "http" ? "or lacks the words" : "or lacks the address"}>
          <Input
            aria-label={kind === "http" ? "Lacks the words" : "Lacks the address"}
            value={v.expect}
            onChange={(e) => set({ expect: e.currentTarget.value })}
          />
        </Line>
      )}
      <Line words={elsewhere(v) && kind !== "heartbeat" ? "in" : "and it fires"}>
        {elsewhere(v) && kind !== "heartbeat" && (
          <Select small aria-label="Down in" options={downIn} value={v.downIn} onChange={(x) => set({ downIn: x })} />
        )}
        <Select small aria-label="Fires" options={after} value={v.after} onChange={(x) => set({ after: x })} />
      </Line>
      <p className={classes.problem}>{fieldError(error, "expect")}</p>
    </fieldset>
  );
}

function Line({ words, children }: { words: string; children: React.ReactNode }) {
  return (
    <div className={classes.line}>
      <span>{words}</span>
      {children}
    </div>
  );
}

function Tick({ label, on, set }: { label: string; on: boolean; set: (on: boolean) => void }) {
  return (
    <label className={classes.tick}>
      <input type="checkbox" checked={on} onChange={(e) => set(e.currentTarget.checked)} />
      {label}
    </label>
  );
}

function Notifies({ value, onChange }: { value: string; onChange: (v: string) => void }) {
  const { data } = useQuery(services.list());
  const options = [
    { value: "", label: "Nobody yet" },
    ...(data?.items ?? []).map((s) => ({ value: String(s.id), label: s.title ?? s.type })),
  ];
  return (
    <Field label="Notifies" hint="When it is down.">
      {(id) => <Select id={id} options={options} value={value} onChange={onChange} />}
    </Field>
  );
}

/** The address of a heartbeat, which is shown once. */
function Address({ url, close }: { url: string; close: () => void }) {
  const command = heartbeatCommand(url);
  return (
    <div>
      <p>
        When the job is done; <span className="mono">/start</span> and <span className="mono">/fail</span> after it say
        that it starts and that it failed. It is shown only here.
      </p>
      <code className={`mono ${classes.address}`}>{command}</code>
      <CopyButton text={command} label="Copy" /> <Button onClick={close}>Done</Button>
    </div>
  );
}
