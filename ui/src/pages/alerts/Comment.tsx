import { useState } from "react";
import { alerts } from "../../api/alerts";
import { useChange } from "../../api/resource";
import type { AlertDetail, TimelineEntry } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { useShortcuts } from "../../shell/shortcuts";
import { toast } from "../../toasts/toasts";
import { useAcknowledge } from "./Acknowledge";
import own from "./Incident.module.css";

const field = "incident-comment";
/** As many characters as a comment has at most. */
const most = 4000;

const failed = (err: Error) => toast(err.message, { tone: "error" });

/** Brings the field for a comment into view, ready to be written in. */
export const startComment = () => document.getElementById(field)?.focus();

type CommentProps = { incident: number; over: boolean; acknowledges?: AlertDetail };

/**
 * What somebody sees, for the others. It acknowledges nothing, and everybody may who sees the incident. Where
 * it is not acknowledged, those who may can do so in the same breath.
 */
export function Comment({ incident, over, acknowledges }: CommentProps) {
  const [text, setText] = useState("");
  const comment = useChange(["alerts"], alerts.comment);
  const send = () => {
    if (text.trim() === "" || comment.isPending) return;
    comment.mutate({ incident, text }, { onSuccess: () => setText(""), onError: failed });
  };
  useShortcuts([{ keys: "m", label: "Comment", run: startComment }]);
  return (
    <div className={own.comment}>
      <Text
        id={field}
        label="Comment"
        text={text}
        onChange={setText}
        send={send}
        placeholder={over ? "What was it? Others read it here." : "What do you see? Others read it here."}
      />
      <div>
        <Left text={text} />
        <span className={own.buttons}>
          {acknowledges && <WithComment alert={acknowledges} text={text} done={() => setText("")} />}
          <Button variant="default" size="xs" disabled={text.trim() === ""} loading={comment.isPending} onClick={send}>
            {over ? "Write a note" : "Add comment"}
          </Button>
        </span>
      </div>
    </div>
  );
}

function WithComment({ alert, text, done }: { alert: AlertDetail; text: string; done: () => void }) {
  const acknowledge = useAcknowledge(alert);
  const run = () => {
    acknowledge.run(text);
    done();
  };
  return (
    <Button variant="default" size="xs" disabled={text.trim() === ""} loading={acknowledge.pending} onClick={run}>
      Acknowledge with comment
    </Button>
  );
}

type EditProps = { incident: number; entry: TimelineEntry; close: () => void };

/** Replaces what one said. */
export function EditComment({ incident, entry, close }: EditProps) {
  const [text, setText] = useState(entry.text ?? "");
  const change = useChange(["alerts"], alerts.changeComment);
  const send = () => {
    if (text.trim() === "" || change.isPending) return;
    change.mutate({ incident, comment: entry.id ?? 0, text }, { onSuccess: close, onError: failed });
  };
  return (
    <div className={own.comment} data-inline>
      <Text id={`comment-${entry.id}`} label="Your comment" text={text} onChange={setText} send={send} close={close} />
      <div>
        <Left text={text} />
        <span className={own.buttons}>
          <Button variant="default" size="xs" onClick={close}>
            Cancel
          </Button>
          <Button size="xs" disabled={text.trim() === ""} loading={change.isPending} onClick={send}>
            Save
          </Button>
        </span>
      </div>
    </div>
  );
}

/** How many characters are left, where they become few. */
function Left({ text }: { text: string }) {
  const left = most - [...text].length;
  return <span className="t3">{left < 200 ? `${left} characters left` : ""}</span>;
}

type TextProps = {
  id: string;
  label: string;
  text: string;
  onChange: (text: string) => void;
  send: () => void;
  close?: () => void;
  placeholder?: string;
};

function Text({ id, label, text, onChange, send, close, placeholder }: TextProps) {
  return (
    <>
      <label className="sr" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        rows={2}
        maxLength={most}
        value={text}
        {...(placeholder && { placeholder })}
        onChange={(e) => onChange(e.currentTarget.value)}
        onKeyDown={(e) => {
          if ((e.ctrlKey || e.metaKey) && e.key === "Enter") send();
          if (e.key === "Escape" && close) close();
        }}
      />
    </>
  );
}
