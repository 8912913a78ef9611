import { useState } from "react";
import { alerts } from "../../api/alerts";
import { useChange } from "../../api/resource";
import type { AlertDetail } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { useShortcuts } from "../../shell/shortcuts";
import { toast } from "../../toasts/toasts";
import { useAcknowledge } from "./Acknowledge";
import own from "./Incident.module.css";

const field = "incident-comment";

/** What somebody sees, for the others. Whoever says something of what nobody has acknowledged takes it on. */
export function Comment({ alert: a }: { alert: AlertDetail }) {
  const [text, setText] = useState("");
  const comment = useChange(["alerts"], alerts.acknowledge);
  const acknowledge = useAcknowledge(a);
  const taken = Boolean(a.acknowledged_at);
  const empty = text.trim() === "";
  const send = () => {
    if (empty) return;
    if (!taken) {
      acknowledge.run(text);
      return setText("");
    }
    comment.mutate(
      { id: a.id, text },
      { onSuccess: () => setText(""), onError: (err) => toast(err.message, { tone: "error" }) },
    );
  };
  useShortcuts([{ keys: "m", label: "Comment", run: () => document.getElementById(field)?.focus() }]);
  return (
    <div className={own.comment}>
      <label className="sr" htmlFor={field}>
        Comment
      </label>
      <textarea
        id={field}
        rows={2}
        value={text}
        placeholder="What do you see? Others read it here."
        onChange={(e) => setText(e.currentTarget.value)}
        onKeyDown={(e) => {
          if ((e.ctrlKey || e.metaKey) && e.key === "Enter") send();
        }}
      />
      <div>
        <span className="t3">{taken ? "" : "Saying something acknowledges it."}</span>
        <Button
          variant="default"
          size="xs"
          disabled={empty}
          loading={comment.isPending || acknowledge.pending}
          onClick={send}
        >
          {taken ? "Add comment" : "Acknowledge with comment"}
        </Button>
      </div>
    </div>
  );
}
