import { useState } from "react";
import { signedIn } from "../../../api/org";
import { useChange } from "../../../api/resource";
import { Button } from "../../../components/Button";
import { Field, Input, Select, Switch } from "../../../components/fields";
import { FormError, fieldError } from "../../../components/problems";
import classes from "../../../components/settingsPages.module.css";
import { setZone, viewer } from "../../../lib/viewer";
import { keysAreOff, setKeys } from "../../../shell/shortcuts";
import { useSession } from "../../../shell/useSession";

/** How you are called, and how this browser shows things to you. */
export function You() {
  const { user } = useSession();
  return (
    <>
      <NameForm key={user.name} name={user.name} email={user.email} />
      <div className={classes.section}>
        <h3>On this device</h3>
      </div>
      <div className={classes.form}>
        <ZoneField />
        <KeysSwitch />
      </div>
    </>
  );
}

function NameForm({ name: old, email }: { name: string; email: string }) {
  const [name, setName] = useState(old);
  const save = useChange(["session"], signedIn.profile);
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(e) => {
        e.preventDefault();
        save.mutate({ name });
      }}
    >
      <Field label="Your name" error={fieldError(save.error, "name")} hint={`You sign in as ${email}.`}>
        {(id) => (
          <div className={classes.inline}>
            <Input id={id} value={name} onChange={(e) => setName(e.currentTarget.value)} />
            <Button type="submit" variant="default" disabled={name === old} loading={save.isPending}>
              Save name
            </Button>
          </div>
        )}
      </Field>
      <FormError error={save.error} fields={["name"]} />
    </form>
  );
}

/** The browser's zone comes first, then those of the world. */
function zones(): { value: string; label: string }[] {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const all = Intl.supportedValuesOf("timeZone");
  const list = all.includes("UTC") ? all : ["UTC", ...all];
  return [
    { value: "", label: `As the browser: ${own}` },
    ...list.map((z) => ({ value: z, label: z.replaceAll("_", " ") })),
  ];
}

function ZoneField() {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const chosen = viewer().zone;
  const choose = (zone: string) => {
    setZone(zone);
    // Every time on the page is written in it.
    window.location.reload();
  };
  return (
    <Field label="Time zone" hint="Of every time you see here. What is stored knows no zone.">
      {(id) => (
        <Select
          id={id}
          value={chosen === own ? "" : chosen}
          options={zones()}
          onChange={choose}
          style={{ maxWidth: "var(--short)" }}
        />
      )}
    </Field>
  );
}

function KeysSwitch() {
  const [on, setOn] = useState(!keysAreOff());
  return (
    <Switch
      label="Single keys, such as c and e, do something"
      hint="Turn it off if you dictate, or press keys by accident."
      checked={on}
      onChange={(to) => {
        setKeys(to);
        setOn(to);
      }}
    />
  );
}
