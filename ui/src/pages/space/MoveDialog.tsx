import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { charts, spaces } from "../../api/spaces";
import type { Chart, Space } from "../../api/types";
import { Field, Select } from "../../components/fields";
import { FormDialog } from "../../dialogs/FormDialog";
import { toast } from "../../toasts/toasts";
import { draftOf } from "./cardActions";

/** Takes a chart to another space. */
export function MoveDialog({ space, chart, close }: { space: Space; chart: Chart; close: () => void }) {
  const { data } = useQuery(spaces.all);
  const others = data?.spaces.filter((s) => s.id !== space.id) ?? [];
  const [to, setTo] = useState("");
  return (
    <FormDialog
      title={`Move “${chart.name}” to a space`}
      action="Move chart"
      close={close}
      disabled={to === ""}
      run={async () => {
        await charts.create(Number(to), draftOf(chart));
        await charts.remove(space.id, chart.id);
        toast(`${chart.name} moved to ${others.find((s) => s.id === Number(to))?.name}`);
      }}
    >
      {() => (
        <Field label="Space">
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
