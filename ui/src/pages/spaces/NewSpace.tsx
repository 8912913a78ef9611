import { useNavigate } from "@tanstack/react-router";
import { spaces } from "../../api/spaces";
import { NameDialog } from "../../dialogs/FormDialog";
import { ImportDialog } from "../../dialogs/ImportDialog";

/** A new space: empty, or from a file. */
export default function NewSpace({ kind, close }: { kind: "new" | "import"; close: () => void }) {
  const navigate = useNavigate();
  if (kind === "import") return <ImportDialog close={close} />;
  return (
    <NameDialog
      title="New space"
      action="Create space"
      initial=""
      placeholder="Checkout production"
      close={close}
      run={async (name) => {
        const made = await spaces.create({ name });
        await navigate({ to: "/spaces/$id", params: { id: String(made.id) } });
      }}
    />
  );
}
