import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { metrics } from "../../api/metrics";
import { needs, wrongFields } from "../../api/required";
import { spaces } from "../../api/spaces";
import { TextField } from "../../components/fields";
import { fieldError } from "../../components/problems";
import { below, chartAll, mostCharts } from "../../components/startSpace";
import { FormDialog } from "../../dialogs/FormDialog";
import { ImportDialog } from "../../dialogs/ImportDialog";
import { count, whole } from "../../lib/format";

type Props = { kind: "new" | "import"; close: () => void };

/** A new space: empty, with a chart for each metric below a name, or from a file. */
export default function NewSpace({ kind, close }: Props) {
  return kind === "import" ? <ImportDialog close={close} /> : <NewForm close={close} />;
}

function NewForm({ close }: Pick<Props, "close">) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [prefix, setPrefix] = useState("");
  const from = prefix.trim();
  const found = useQuery({ ...metrics.search(below(from), 0, 1), enabled: from !== "" });
  const called = name.trim() || from.replace(/[.*_:-]+$/, "");
  const create = async (body: { name: string }) => {
    if (from && found.data?.query.found === 0) throw wrongFields({ prefix: said(from, 0) });
    const id = from ? await chartAll(client, called, below(from)) : (await spaces.create(body)).id;
    await navigate({ to: "/spaces/$id", params: { id: String(id) } });
  };
  return (
    <FormDialog
      title="New space"
      action="Create space"
      close={close}
      fields={["name", "prefix"]}
      run={() => needs(["name"], create)({ name: called })}
    >
      {(error) => (
        <>
          <TextField
            label="Name"
            placeholder={called || "Checkout production"}
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
            error={fieldError(error, "name")}
            data-autofocus
            autoComplete="off"
          />
          <TextField
            label="Chart everything below"
            placeholder="checkout."
            hint={said(from, found.data?.query.found)}
            error={from && found.data?.query.found === 0 ? fieldError(error, "prefix") : undefined}
            value={prefix}
            onChange={(e) => setPrefix(e.currentTarget.value)}
            mono
            autoComplete="off"
            spellCheck={false}
          />
        </>
      )}
    </FormDialog>
  );
}

/** What there is below a name. */
function said(prefix: string, found: number | undefined): string {
  if (!prefix) return "Empty makes a space without charts.";
  if (found === undefined) return "Looking…";
  if (found === 0) return `No metric is called ${below(prefix)}.`;
  return found > mostCharts
    ? `${whole(found)} metrics, the first ${mostCharts} of them with a chart each.`
    : `${count(found, "metric")}, a chart each.`;
}
