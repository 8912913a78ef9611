import { FileButton, Textarea, TextInput } from "@mantine/core";
import { Button } from "../../components/Button";
import "@mantine/core/styles/Input.layer.css";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { spaces } from "../../api/spaces";
import { Modal } from "../../components/overlays";
import { FormError, fieldError } from "../../components/problems";

/** A new space: empty, or from a file. */
export default function NewSpace({ kind, close }: { kind: "new" | "import"; close: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const isNew = kind === "new";
  const submit = async () => {
    setBusy(true);
    try {
      const made = isNew ? await spaces.create({ name: text.trim() }) : await spaces.import(JSON.parse(text));
      await client.invalidateQueries({ queryKey: ["spaces"] });
      close();
      await navigate({ to: "/spaces/$id", params: { id: String(made.id) } });
    } catch (err) {
      setError(err instanceof SyntaxError ? new Error("This is not JSON.") : err);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={close} title={isNew ? "New space" : "Import a space"}>
      <form
        style={{ display: "flex", flexDirection: "column", gap: 14 }}
        onSubmit={(e) => {
          e.preventDefault();
          void submit();
        }}
      >
        {isNew ? (
          <TextInput
            label="Name"
            placeholder="Checkout production"
            value={text}
            onChange={(e) => setText(e.currentTarget.value)}
            error={fieldError(error, "name")}
            data-autofocus
            autoComplete="off"
          />
        ) : (
          <>
            <p className="t2">A file that Export JSON made, here or on another server. It becomes a new space.</p>
            <FileButton accept="application/json,.json" onChange={async (f) => setText((await f?.text()) ?? "")}>
              {(props) => (
                <Button variant="default" {...props}>
                  Choose a file…
                </Button>
              )}
            </FileButton>
            <Textarea
              label="Or paste it"
              rows={8}
              value={text}
              onChange={(e) => setText(e.currentTarget.value)}
              classNames={{ input: "mono" }}
              spellCheck={false}
            />
          </>
        )}
        <FormError error={error} fields={["name"]} />
        <div style={{ display: "flex", justifyContent: "flex-end", gap: 10 }}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={text.trim() === ""} loading={busy}>
            {isNew ? "Create space" : "Import space"}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
