import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { checks } from "../../api/checks";
import { services } from "../../api/services";
import type { CheckState } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { Field, Input, Select } from "../../components/fields";
import { Modal } from "../../components/overlays";
import { fieldError } from "../../components/problems";
import { FormDialog } from "../../dialogs/FormDialog";
import { heartbeatCommand, kinds } from "../../lib/checks";
import { took } from "../../lib/format";
import classes from "./Checks.module.css";

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
const after = spans([
  ["0", "at once"],
  ["120", "after 2 min"],
  ["300", "after 5 min"],
]);
const fields = ["name", "target", "every", "grace", "expect"];

/** A check and its alert, in one form. */
export default function NewCheck({ kind: initial, close }: { kind: string; close: () => void }) {
  const client = useQueryClient();
  const [kind, setKind] = useState(initial);
  const [v, setV] = useState({ name: "", target: "", every: "60", grace: "300", expect: "", after: "0", service: "" });
  const [made, setMade] = useState<string>();
  const address = useRef("");
  const set = (change: Partial<typeof v>) => setV((old) => ({ ...old, ...change }));
  const beat = kind === "heartbeat";
  const draft = () => ({
    name: v.name,
    kind,
    target: beat ? "" : v.target.trim(),
    every: Number(v.every),
    grace: Number(v.grace),
    expect: v.expect,
  });
  if (made) return <Address url={made} close={close} />;
  const create = async () => {
    const answer = await checks.create({
      ...draft(),
      services: v.service ? [Number(v.service)] : [],
      after: Number(v.after),
    });
    await client.invalidateQueries({ queryKey: ["checks"] });
    address.current = answer.url;
  };
  // A heartbeat's address is shown before the form is gone.
  const done = () => (address.current ? setMade(address.current) : close());
  return (
    <FormDialog title="New check" action="Save check" close={done} run={create} fields={fields}>
      {(error) => (
        <>
          <Field label="Kind">{(id) => <Select id={id} options={kinds} value={kind} onChange={setKind} />}</Field>
          <Field label="Name" error={fieldError(error, "name")}>
            {(id) => (
              <Input
                id={id}
                value={v.name}
                onChange={(e) => set({ name: e.currentTarget.value })}
                placeholder="Shop front"
              />
            )}
          </Field>
          {!beat && (
            <Field label="Address" error={fieldError(error, "target")}>
              {(id) => (
                <Input
                  id={id}
                  mono
                  value={v.target}
                  onChange={(e) => set({ target: e.currentTarget.value })}
                  placeholder={kinds.find((k) => k.value === kind)?.hint}
                />
              )}
            </Field>
          )}
          <Field label={beat ? "A call every" : "Every"} error={fieldError(error, "every")}>
            {(id) => <Select id={id} options={every} value={v.every} onChange={(x) => set({ every: x })} />}
          </Field>
          {beat && (
            <Field label="Grace" error={fieldError(error, "grace")}>
              {(id) => <Select id={id} options={grace} value={v.grace} onChange={(x) => set({ grace: x })} />}
            </Field>
          )}
          {(kind === "http" || kind === "dns") && (
            <Field
              label={kind === "http" ? "Down if it lacks the words" : "Down if it lacks the address"}
              error={fieldError(error, "expect")}
            >
              {(id) => <Input id={id} value={v.expect} onChange={(e) => set({ expect: e.currentTarget.value })} />}
            </Field>
          )}
          <Field label="Alert">
            {(id) => <Select id={id} options={after} value={v.after} onChange={(x) => set({ after: x })} />}
          </Field>
          <Notifies value={v.service} onChange={(service) => set({ service })} />
          {!beat && v.target.trim() !== "" && <TryIt draft={draft} />}
        </>
      )}
    </FormDialog>
  );
}

function Notifies({ value, onChange }: { value: string; onChange: (v: string) => void }) {
  const { data } = useQuery(services.list());
  const options = [
    { value: "", label: "Nobody yet" },
    ...(data?.items ?? []).map((s) => ({ value: String(s.id), label: s.title ?? s.type })),
  ];
  return (
    <Field label="Notifies">{(id) => <Select id={id} options={options} value={value} onChange={onChange} />}</Field>
  );
}

/** What the check would find now. */
function TryIt({ draft }: { draft: () => Parameters<typeof checks.attempt>[0] }) {
  const [found, setFound] = useState<CheckState | string>();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setFound(await checks.attempt({ ...draft(), name: "draft" }).catch((err: Error) => err.message));
    setBusy(false);
  };
  const text =
    typeof found === "string"
      ? found
      : found && `${found.up ? "Up" : "Down"}: ${found.said}, ${took(found.duration * 1000)}`;
  return (
    <div>
      <Button variant="default" loading={busy} onClick={() => void run()}>
        Try it now
      </Button>{" "}
      <span role="status">{text}</span>
    </div>
  );
}

/** The address of a heartbeat, which is shown once. */
function Address({ url, close }: { url: string; close: () => void }) {
  const command = heartbeatCommand(url);
  return (
    <Modal opened onClose={close} title="Call this address">
      <p>
        When the job is done; <span className="mono">/start</span> and <span className="mono">/fail</span> after it say
        that it starts and that it failed. It is shown only here.
      </p>
      <code className={`mono ${classes.address}`}>{command}</code>
      <CopyButton text={command} label="Copy" /> <Button onClick={close}>Done</Button>
    </Modal>
  );
}
