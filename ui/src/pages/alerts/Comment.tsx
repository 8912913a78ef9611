import { useState } from "react";
import { alerts } from "../../api/alerts";
import { useChange } from "../../api/resource";
import type { AlertDetail, TimelineEntry } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { Field } from "../../components/fields";
import { useShortcuts } from "../../shell/shortcuts";
import { toast } from "../../toasts/toast";
import { useAcknowledge } from "./Acknowledge";
import own from "./Incident.module.css";

/** As many characters as a comment has at most. */
const most = 4000;

const failed = (err: Error) => toast(err.message, { tone: "error" });

/** Brings the field for a comment into view, ready to be written in. */
export const startComment = () => document.querySelector<HTMLElement>("textarea[data-comment]")?.focus();

type CommentProps = { incident: number; over: boolean; acknowledges?: AlertDetail };

/**
 * What somebody sees, for the others. It acknowledges nothing, and everybody may who sees the incident. Where
 * it is not acknowledged, those who may can do so in the same breath.
 */
export function Comment({ incident, over, acknowledges }: CommentProps) {
  const { text, missing, set, unlessEmpty } = useText("");
  const comment = useChange(["alerts"], alerts.comment);
  const send = () =>
    unlessEmpty(() => {
      if (!comment.isPending) comment.mutate({ incident, text }, { onSuccess: () => set(""), onError: failed });
    });
  useShortcuts([{ keys: "m", label: "Comment", run: startComment }]);
  return (
    <div className={own.comment}>
      <Text
        label="Comment"
        text={text}
        missing={missing}
        onChange={set}
        send={send}
        placeholder={over ? "What was it? Others read it here." : "What do you see? Others read it here."}
      />
      <div>
        <Left text={text} />
        <span className={own.buttons}>
          {acknowledges && (
            <WithComment alert={acknowledges} text={text} unlessEmpty={unlessEmpty} done={() => set("")} />
          )}
          <Button variant="default" size="xs" loading={comment.isPending} onClick={send}>
            {over ? "Write a note" : "Add comment"}
          </Button>
        </span>
      </div>
    </div>
  );
}

/** What is typed, and whether somebody wanted to send it while it was empty. */
function useText(initial: string) {
  const [text, setText] = useState(initial);
  const [tried, setTried] = useState(false);
  const set = (typed: string) => {
    setText(typed);
    setTried(false);
  };
  const isEmpty = text.trim() === "";
  const unlessEmpty = (run: () => void) => (isEmpty ? setTried(true) : run());
  return { text, missing: tried && isEmpty, set, unlessEmpty };
}

type WithProps = { alert: AlertDetail; text: string; unlessEmpty: (run: () => void) => void; done: () => void };

function WithComment({ alert, text, unlessEmpty, done }: WithProps) {
  const acknowledge = useAcknowledge(alert);
  const run = () =>
    unlessEmpty(() => {
      acknowledge.run(text);
      done();
    });
  return (
    <Button variant="default" size="xs" loading={acknowledge.pending} onClick={run}>
      Acknowledge with comment
    </Button>
  );
}

type EditProps = { incident: number; entry: TimelineEntry; close: () => void };

/** Replaces what one said. */
export function EditComment({ incident, entry, close }: EditProps) {
  const { text, missing, set, unlessEmpty } = useText(entry.text ?? "");
  const change = useChange(["alerts"], alerts.changeComment);
  const send = () =>
    unlessEmpty(() => {
      if (change.isPending) return;
      change.mutate({ incident, comment: entry.id ?? 0, text }, { onSuccess: close, onError: failed });
    });
  return (
    <div className={own.comment} data-inline>
      <Text label="Your comment" text={text} missing={missing} onChange={set} send={send} close={close} />
      <div>
        <Left text={text} />
        <span className={own.buttons}>
          <Button variant="default" size="xs" onClick={close}>
            Cancel
          </Button>
          <Button size="xs" loading={change.isPending} onClick={send}>
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
  label: string;
  text: string;
  missing: boolean;
  onChange: (text: string) => void;
  send: () => void;
  close?: () => void;
  placeholder?: string;
};

function Text({ label, text, missing, onChange, send, close, placeholder }: TextProps) {
  return (
    <Field label={label} hideLabel error={missing ? "Comment is missing." : undefined}>
      {(id) => (
        <textarea
          id={id}
          data-comment={close ? undefined : true}
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
      )}
    </Field>
  );
}
