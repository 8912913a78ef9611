import { useState } from "react";
import { alerts } from "../../api/alerts";
import { useChange } from "../../api/resource";
import { Button } from "../../components/Button";
import { Modal } from "../../components/overlays";
import { toast } from "../../toasts/toasts";
import classes from "./parts.module.css";

type Props = { alert: { id: number; name: string; acknowledged_at?: number } };

/** Takes an incident on, or adds a comment to one that somebody has. */
export function AcknowledgeButton({ alert }: Props) {
  const acknowledge = useChange(["alerts"], alerts.acknowledge);
  const [asking, setAsking] = useState(false);
  const [text, setText] = useState("");
  const taken = Boolean(alert.acknowledged_at);
  const run = () => {
    setAsking(false);
    setText("");
    acknowledge.mutate(
      { id: alert.id, text },
      {
        onSuccess: () =>
          toast(taken ? "The comment is added." : `${alert.name} is acknowledged. Nobody is reminded of it.`),
        onError: (err) => toast(err.message, { tone: "error" }),
      },
    );
  };
  const word = taken ? "Comment" : "Acknowledge";
  return (
    <>
      <Button variant="default" size="sm" loading={acknowledge.isPending} onClick={() => setAsking(true)}>
        {word}
      </Button>
      <Modal opened={asking} onClose={() => setAsking(false)} title={`${word}: ${alert.name}`}>
        {!taken && <p className="t2">You take it on. Nobody is reminded of it until it fires again.</p>}
        <label className={classes.note}>
          <span className="t2">{taken ? "Comment" : "Note (optional)"}</span>
          <textarea rows={3} value={text} onChange={(e) => setText(e.currentTarget.value)} data-autofocus />
        </label>
        <div className={classes.actions}>
          <Button variant="default" onClick={() => setAsking(false)}>
            Cancel
          </Button>
          <Button disabled={taken && text.trim() === ""} onClick={run}>
            {word}
          </Button>
        </div>
      </Modal>
    </>
  );
}
