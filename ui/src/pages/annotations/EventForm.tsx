import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { annotations } from "../../api/annotations";
import { wrongFields } from "../../api/required";
import { useChange } from "../../api/resource";
import type { Event } from "../../api/types";
import { Button } from "../../components/Button";
import { Field, Input } from "../../components/fields";
import { Modal } from "../../components/overlays";
import { FormError, fieldError } from "../../components/problems";
import { dayAndClock } from "../../lib/format";
import { linkProblem } from "../../lib/link";
import { momentOf } from "../../time/moment";
import { TimeField } from "../../time/TimeField";
import classes from "./Annotations.module.css";
import { type Link, LinkFields } from "./LinkFields";

type Props = { stream: string; streams: string[]; event?: Event | undefined; close: () => void };

const links = (list: Link[]) =>
  list
    .filter((l) => l.href.trim())
    .map((l, i) => ({ rel: i === 0 ? "link" : `link-${i + 1}`, label: l.label.trim() || null, href: l.href.trim() }));

/** Adds an event, or changes one. */
export function EventForm({ stream: first, streams, event, close }: Props) {
  const navigate = useNavigate();
  const [stream, setStream] = useState(first);
  const [title, setTitle] = useState(event?.title ?? "");
  const [description, setDescription] = useState(event?.description ?? "");
  const [source, setSource] = useState(event?.source ?? "");
  const [start, setStart] = useState(dayAndClock(event?.start_time ?? Date.now() / 1000));
  const [end, setEnd] = useState(event?.end_time ? dayAndClock(event.end_time) : "");
  const [list, setList] = useState<Link[]>(
    event?.links.length ? event.links.map((l) => ({ label: l.label ?? "", href: l.href })) : [{ label: "", href: "" }],
  );
  const [tried, setTried] = useState(false);
  const now = Date.now() / 1000;
  const begin = momentOf(start, event?.start_time, now);
  const finish = end.trim() === "" ? null : momentOf(end, event?.end_time ?? undefined, now);
  const save = useChange(["annotations"], async () => {
    if (stream.trim() === "") throw wrongFields({ name: "Stream is missing." });
    const body = {
      title: title.trim(),
      description: description.trim() || null,
      source: source.trim() || null,
      start_time: Math.round(begin ?? now),
      end_time: finish == null ? null : Math.round(finish),
      links: links(list),
    };
    if (event) await annotations.update(stream, event.id, body);
    else await annotations.add(stream.trim(), body);
  });
  // The server says what else is wrong.
  const wrong = begin === undefined || finish === undefined || list.some((l) => linkProblem(l.href));
  const submit = (e: FormEvent) => {
    e.preventDefault();
    setTried(true);
    if (wrong) return save.reset();
    save.mutate(undefined, {
      onSuccess: () => {
        close();
        if (!event && stream !== first)
          void navigate({ to: "/annotations/$name", params: { name: stream.trim() }, search: {} });
      },
    });
  };
  const changeLinks = (to: Link[]) => {
    setTried(false); // nothing is said while somebody types
    setList(to);
  };
  return (
    <Modal opened onClose={close} title={event ? "Edit annotation" : "What happened?"} size={520}>
      <form noValidate className={classes.form} onSubmit={submit}>
        <Field label="Title" hint="In a few words: deploy 4.18.2." error={fieldError(save.error, "title")}>
          {(id) => <Input id={id} value={title} data-autofocus onChange={(e) => setTitle(e.currentTarget.value)} />}
        </Field>
        <div className={classes.two}>
          <TimeField
            label="Time"
            value={start}
            onChange={setStart}
            wrong={begin === undefined}
            error={fieldError(save.error, "start_time")}
            hint="A date, or -2h, mon 9:00."
          />
          <TimeField
            label="End (optional)"
            hint="Where it took a while."
            value={end}
            onChange={setEnd}
            wrong={finish === undefined}
            error={fieldError(save.error, "end_time")}
          />
        </div>
        <Field
          label="Description (optional)"
          hint="What others should know about it."
          error={fieldError(save.error, "description")}
        >
          {(id) => (
            <textarea
              id={id}
              rows={3}
              className={classes.text}
              value={description}
              onChange={(e) => setDescription(e.currentTarget.value)}
            />
          )}
        </Field>
        <div className={classes.two}>
          <Field label="Stream" hint="Annotations of one kind, such as deploys." error={fieldError(save.error, "name")}>
            {(id) => (
              <>
                <Input
                  id={id}
                  mono
                  list="streams"
                  disabled={Boolean(event)}
                  value={stream}
                  onChange={(e) => setStream(e.currentTarget.value)}
                />
                <datalist id="streams">
                  {streams.map((s) => (
                    <option key={s} value={s} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
          <Field
            label="Source (optional)"
            hint="Where it happened, such as a host."
            error={fieldError(save.error, "source")}
          >
            {(id) => <Input id={id} mono value={source} onChange={(e) => setSource(e.currentTarget.value)} />}
          </Field>
        </div>
        <LinkFields list={list} onChange={changeLinks} tried={tried} />
        <FormError error={save.error} fields={["title", "start_time", "end_time", "description", "name", "source"]} />
        <div className={classes.actions}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {event ? "Save changes" : "Add annotation"}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
