import { type ReactNode, useState } from "react";
import { Button } from "./Button";
import { TextField } from "./fields";
import { FormError } from "./problems";

type Props = {
  name: string /** "Delete metric" */;
  action: string;
  keep?: string;
  children: ReactNode;
  onConfirm: () => void;
  onCancel: () => void;
  busy?: boolean;
  error?: unknown;
};

/** For what cannot be undone and hits data: says what is lost, then asks for the name. */
export function ConfirmByTyping({
  name,
  action,
  keep = "Keep it",
  children,
  onConfirm,
  onCancel,
  busy = false,
  error,
}: Props) {
  const [typed, setTyped] = useState("");
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        if (typed === name) onConfirm();
      }}
      style={{ display: "flex", flexDirection: "column", gap: 16 }}
    >
      <div className="t2">{children}</div>
      <TextField
        label={
          <>
            Type <span className="mono">{name}</span> to delete it for good
          </>
        }
        value={typed}
        onChange={(e) => setTyped(e.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
      <FormError error={error} />
      <div style={{ display: "flex", justifyContent: "flex-end", gap: 10 }}>
        <Button variant="default" onClick={onCancel}>
          {keep}
        </Button>
        <Button type="submit" color="ember" disabled={typed !== name} loading={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
