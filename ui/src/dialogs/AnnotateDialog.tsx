import { TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.layer.css";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { annotations } from "../api/annotations";
import { fieldError } from "../components/problems";
import { dayAndClock } from "../lib/format";
import { momentOf, parseMoment } from "../time/moment";
import classes from "./Dialogs.module.css";
import { FormDialog } from "./FormDialog";

type Props = { at: number; sources: string[]; close: () => void; onAdded?: (stream: string) => void };

/** "What happened?", at the place in a chart that was pressed. */
export function AnnotateDialog({ at, sources, close, onAdded }: Props) {
  const client = useQueryClient();
  const [title, setTitle] = useState("");
  const [stream, setStream] = useState(sources[0] ?? "events");
  const [start, setStart] = useState(dayAndClock(at));
  const [end, setEnd] = useState("");
  const [link, setLink] = useState("");
  const now = Date.now() / 1000;
  const begin = momentOf(start, at, now);
  const finish = end.trim() === "" ? null : parseMoment(end, now);
  return (
    <FormDialog
      title="What happened?"
      action="Add annotation"
      close={close}
      fields={["title"]}
      disabled={title.trim() === "" || begin === undefined || finish === undefined}
      run={async () => {
        await annotations.add(stream.trim(), {
          title: title.trim(),
          start_time: Math.round(begin ?? at),
          ...(finish != null && { end_time: Math.round(finish) }),
          ...(link.trim() && { links: [{ rel: "link", label: null, href: link.trim() }] }),
        });
        await client.invalidateQueries({ queryKey: ["annotations"] });
        onAdded?.(stream.trim());
      }}
    >
      {(error) => (
        <>
          <TextInput
            label="Title"
            value={title}
            onChange={(e) => setTitle(e.currentTarget.value)}
            error={fieldError(error, "title")}
            data-autofocus
          />
          <div className={classes.two}>
            <TextInput
              label="Time"
              value={start}
              onChange={(e) => setStart(e.currentTarget.value)}
              error={begin === undefined && "This is not a time."}
            />
            <TextInput
              label="End"
              placeholder="none"
              value={end}
              onChange={(e) => setEnd(e.currentTarget.value)}
              error={finish === undefined && "This is not a time."}
            />
          </div>
          <TextInput
            label="Stream"
            value={stream}
            onChange={(e) => setStream(e.currentTarget.value)}
            classNames={{ input: "mono" }}
          />
          <TextInput
            label="Link"
            placeholder="https://"
            value={link}
            onChange={(e) => setLink(e.currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  );
}
