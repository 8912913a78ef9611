import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { charts, spaces } from "../../api/spaces";
import type { Space } from "../../api/types";
import { FormDialog, NameDialog } from "../../dialogs/FormDialog";
import { count } from "../../lib/format";
import { toast } from "../../toasts/toast";

/** A copy under another name. */
export function Duplicate({ space, close }: { space: Space; close: () => void }) {
  const navigate = useNavigate();
  return (
    <NameDialog
      title={`Duplicate “${space.name}”`}
      action="Duplicate space"
      initial={`${space.name} copy`}
      close={close}
      run={async (name) => {
        const made = await spaces.duplicate(space.id, name);
        await navigate({ to: "/spaces/$id", params: { id: String(made.id) } });
      }}
    />
  );
}

/** Says what goes, and offers a way back. */
export function Delete({ space, close }: { space: Space; close: () => void }) {
  const navigate = useNavigate();
  const { data } = useQuery(charts.of(space.id));
  return (
    <FormDialog
      title={`Delete “${space.name}”?`}
      action="Delete space"
      danger
      close={close}
      run={async () => {
        const backup = await spaces.export(space.id);
        await spaces.remove(space.id);
        await navigate({ to: "/spaces" });
        toast(`${space.name} deleted`, {
          undo: () =>
            void spaces.import(backup).then((s) => navigate({ to: "/spaces/$id", params: { id: String(s.id) } })),
        });
      }}
    >
      {() => (
        <p className="t2">{`Its ${count(data?.length ?? 0, "chart")} and its share links go with it. Metrics and their measurements stay.`}</p>
      )}
    </FormDialog>
  );
}
