import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { needs } from "../../api/required";
import { charts as api, spaces } from "../../api/spaces";
import type { Chart, Space } from "../../api/types";
import { Field, Select } from "../../components/fields";
import { fieldError } from "../../components/problems";
import { FormDialog } from "../../dialogs/FormDialog";
import { toast } from "../../toasts/toast";
import { called, complain, createAgain, draftOf, type Place } from "./cardActions";

type Props = {
  kind: "copy" | "move";
  space: Space;
  charts: Chart[];
  replaced: Place["replaced"];
  close: () => void;
};

const verbs = {
  copy: { title: "Copy", action: "Copy", done: "copied" },
  move: { title: "Move", action: "Move", done: "moved" },
};

/** Takes charts to another space, or leaves them here too. */
export function MoveDialog({ kind, space, charts, replaced, close }: Props) {
  const { data } = useQuery(spaces.all);
  const client = useQueryClient();
  const others = data?.spaces.filter((s) => s.id !== space.id) ?? [];
  const [to, setTo] = useState("");
  const { title, action, done } = verbs[kind];
  const what = charts.length === 1 ? `“${called(charts)}”` : called(charts);
  const run = async () => {
    const made: Chart[] = [];
    for (const c of charts) made.push(await api.create(Number(to), draftOf(c)));
    if (kind === "move") for (const c of charts) await api.remove(space.id, c.id);
    const back = async () => {
      if (kind === "move") await createAgain({ space: space.id, replaced }, charts);
      for (const c of made) await api.remove(Number(to), c.id);
      await client.invalidateQueries({ queryKey: ["spaces"] });
    };
    toast(`${called(charts)} ${done} to ${others.find((s) => s.id === Number(to))?.name}`, {
      undo: () => void back().catch(complain),
    });
  };
  return (
    <FormDialog
      title={`${title} ${what} to a space`}
      action={`${action} ${charts.length === 1 ? "chart" : "charts"}`}
      close={close}
      fields={["space"]}
      run={() => needs(["space"], run)({ space: to })}
    >
      {(error) => (
        <Field label="Space" hint="They come after the charts it has." error={fieldError(error, "space")}>
          {(id) => (
            <Select
              id={id}
              value={to}
              onChange={setTo}
              options={[
                { value: "", label: "Choose a space" },
                ...others.map((s) => ({ value: String(s.id), label: s.name })),
              ]}
            />
          )}
        </Field>
      )}
    </FormDialog>
  );
}
