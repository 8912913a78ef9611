import { FileButton, Textarea } from "@mantine/core";
import "@mantine/core/styles/Input.layer.css";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { spaces } from "../api/spaces";
import { Button } from "../components/Button";
import { FormDialog } from "./FormDialog";

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("This is not JSON.");
  }
}

/** A space from a file or from pasted text. */
export function ImportDialog({ close }: { close: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  return (
    <FormDialog
      title="Import a space"
      action="Import space"
      close={close}
      disabled={text.trim() === ""}
      run={async () => {
        const made = await spaces.import(read(text));
        await navigate({ to: "/spaces/$id", params: { id: String(made.id) } });
      }}
    >
      {() => (
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
            autosize={false}
            rows={8}
            value={text}
            onChange={(e) => setText(e.currentTarget.value)}
            classNames={{ input: "mono" }}
            spellCheck={false}
          />
        </>
      )}
    </FormDialog>
  );
}
