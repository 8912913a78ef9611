import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { alertViews } from "../../api/alertViews";
import { needs } from "../../api/required";
import type { AlertViewFilter } from "../../api/ui.gen";
import { TextField } from "../../components/fields";
import { fieldError } from "../../components/problems";
import { FormDialog } from "../../dialogs/FormDialog";
import { useSession } from "../../shell/useSession";
import classes from "./Alerts.module.css";

/** Keeps what the list is narrowed to under a name: for oneself or, by those who may edit, for everyone. */
export default function SaveView({ filter, close }: { filter: AlertViewFilter; close: () => void }) {
  const client = useQueryClient();
  const { canEdit, org } = useSession();
  const [name, setName] = useState("");
  const [shared, setShared] = useState(false);
  const save = async () => {
    await needs(["name"], alertViews.save)({ name: name.trim(), shared, filter });
    await client.invalidateQueries({ queryKey: alertViews.list().queryKey });
  };
  return (
    <FormDialog title="Save view" action="Save view" close={close} run={save} fields={["name"]}>
      {(error) => (
        <>
          <TextField
            label="Name"
            hint="The chip above the list says it."
            placeholder="Critical of my team"
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
            error={fieldError(error, "name")}
            data-autofocus
            autoComplete="off"
          />
          {canEdit && (
            <fieldset className={classes.whose}>
              <legend>Shown to</legend>
              {[false, true].map((all) => (
                <label key={String(all)}>
                  <input type="radio" name="whose" checked={shared === all} onChange={() => setShared(all)} />
                  {all ? `Everyone in ${org.name}` : "Only me"}
                </label>
              ))}
            </fieldset>
          )}
        </>
      )}
    </FormDialog>
  );
}
