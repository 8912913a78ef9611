import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { annotations, type EventDraft } from "../api/annotations";
import { needs, wrongFields } from "../api/required";
import { TextArea, TextField } from "../components/fields";
import { fieldError } from "../components/problems";
import { dayAndClock } from "../lib/format";
import { momentOf } from "../time/moment";
import { TimeField } from "../time/TimeField";
import classes from "./Dialogs.module.css";
import { FormDialog } from "./FormDialog";

type Props = {
  at: number;
  until?: number | undefined;
  sources: string[];
  close: () => void;
  onAdded?: (stream: string) => void;
};

/** "What happened?", at the place in a chart that was pressed. */
export function AnnotateDialog({ at, until, sources, close, onAdded }: Props) {
  const client = useQueryClient();
  const [title, setTitle] = useState("");
  const [stream, setStream] = useState(sources[0] ?? "events");
  const [start, setStart] = useState(dayAndClock(at));
  const [end, setEnd] = useState(until === undefined ? "" : dayAndClock(until));
  const [description, setDescription] = useState("");
  const [link, setLink] = useState("");
  const add = needs(["title"], (body: EventDraft) => annotations.add(stream.trim(), body));
  const now = Date.now() / 1000;
  const begin = momentOf(start, at, now);
  const finish = end.trim() === "" ? null : momentOf(end, until, now);
  return (
    <FormDialog
      title="What happened?"
      action="Add annotation"
      close={close}
      fields={["title", "description", "start_time", "end_time"]}
      run={async () => {
        if (begin === undefined || finish === undefined) {
          // The fields of the times say it themselves.
          throw wrongFields({ [begin === undefined ? "start_time" : "end_time"]: "is not a date" });
        }
        await add({
          title: title.trim(),
          start_time: Math.round(begin),
          ...(finish !== null && { end_time: Math.round(finish) }),
          ...(description.trim() && { description: description.trim() }),
          ...(link.trim() && { links: [{ rel: "link", label: null, href: link.trim() }] }),
        });
        await client.invalidateQueries({ queryKey: ["annotations"] });
        onAdded?.(stream.trim());
      }}
    >
      {(error) => (
        <>
          <TextField
            label="Title"
            hint="In a few words: deploy 4.18.2."
            value={title}
            onChange={(e) => setTitle(e.currentTarget.value)}
            error={fieldError(error, "title")}
            data-autofocus
          />
          <div className={classes.two}>
            <TimeField
              label="Time"
              hint="A date, or -2h, mon 9:00."
              value={start}
              onChange={setStart}
              wrong={begin === undefined}
            />
            <TimeField
              label="End"
              hint="Where it took a while."
              placeholder="none"
              value={end}
              onChange={setEnd}
              wrong={finish === undefined}
            />
          </div>
          <TextArea
            label="Description"
            hint="What others should know about it."
            placeholder="none"
            rows={2}
            value={description}
            onChange={(e) => setDescription(e.currentTarget.value)}
            error={fieldError(error, "description")}
          />
          <TextField
            label="Stream"
            hint="Annotations of one kind, such as deploys."
            value={stream}
            onChange={(e) => setStream(e.currentTarget.value)}
            mono
          />
          <TextField
            label="Link"
            hint="Such as the change that was deployed."
            placeholder="https://"
            value={link}
            onChange={(e) => setLink(e.currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  );
}
