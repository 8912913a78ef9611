import { useQueryClient } from "@tanstack/react-query";
import { history, type Thing } from "../../../api/history";
import type { Version } from "../../../api/ui.gen";
import { NameDialog } from "../../../dialogs/FormDialog";
import { timeOf } from "./saves";

type Props = { thing: Thing; version: Version; close: () => void };

/** Gives a save a name, by which it is found again. */
export default function NameSave({ thing, version: v, close }: Props) {
  const client = useQueryClient();
  return (
    <NameDialog
      title={`Name the save of ${timeOf(v.at)}`}
      action="Save"
      initial={v.name ?? ""}
      placeholder="before sale"
      optional
      close={close}
      run={async (name) => {
        await history.name(thing, v.number, name);
        await client.invalidateQueries({ queryKey: ["history"] });
      }}
    />
  );
}
