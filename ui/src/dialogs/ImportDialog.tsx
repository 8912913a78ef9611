import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { wrongFields } from "../api/required";
import { spaces } from "../api/spaces";
import { Button } from "../components/Button";
import { TextArea } from "../components/fields";
import { fieldError } from "../components/problems";
import { FormDialog } from "./FormDialog";

function read(text: string): unknown {
  if (text.trim() === "") throw wrongFields({ tidemark_space: "Choose a file, or paste what is in it." });
  try {
    return JSON.parse(text);
  } catch {
    throw wrongFields({ tidemark_space: "This is not JSON." });
  }
}

/** A space from a file or from pasted text. */
export function ImportDialog({ close }: { close: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const file = useRef<HTMLInputElement>(null);
  return (
    <FormDialog
      title="Import a space"
      action="Import space"
      close={close}
      fields={["tidemark_space"]}
      run={async () => {
        const made = await spaces.import(read(text));
        await navigate({ to: "/spaces/$id", params: { id: String(made.id) } });
      }}
    >
      {(error) => (
        <>
          <p className="t2">A file that Export JSON made, here or on another server. It becomes a new space.</p>
          <Button variant="default" onClick={() => file.current?.click()}>
            Choose a file…
          </Button>
          <input
            ref={file}
            type="file"
            hidden
            accept="application/json,.json"
            onChange={async (e) => setText((await e.currentTarget.files?.[0]?.text()) ?? "")}
          />
          <TextArea
            label="Or paste it"
            hint="The whole text of the file."
            error={fieldError(error, "tidemark_space")}
            rows={8}
            value={text}
            onChange={(e) => setText(e.currentTarget.value)}
            mono
            spellCheck={false}
          />
        </>
      )}
    </FormDialog>
  );
}
