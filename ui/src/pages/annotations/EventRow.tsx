import { IconDots, IconExternalLink } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { annotations } from "../../api/annotations";
import { useChange } from "../../api/resource";
import type { Event } from "../../api/types";
import { IconButton, Tag } from "../../components/controls";
import { Menu } from "../../components/Menu";
import { clock, duration, exact } from "../../lib/format";
import { useSession } from "../../shell/useSession";
import { toast } from "../../toasts/toast";
import classes from "./Annotations.module.css";

type Props = { stream: string; event: Event; wanted: boolean; edit: () => void };

/** One event: when, what, how long, and where to read on. */
export function EventRow({ stream, event, wanted, edit }: Props) {
  const { canEdit } = useSession();
  const el = useRef<HTMLElement>(null);
  useEffect(() => {
    if (wanted) el.current?.scrollIntoView({ block: "center" });
  }, [wanted]);
  return (
    <article ref={el} className={classes.event} data-wanted={wanted || undefined}>
      <time
        dateTime={new Date(event.start_time * 1000).toISOString()}
        data-tip={exact(event.start_time)}
        className="num"
      >
        {clock(event.start_time)}
      </time>
      <div className={classes.what}>
        <div className={classes.title}>
          {event.title}
          {event.end_time !== null && (
            <span className="t3">
              {event.end_time > event.start_time ? ` ${duration(event.end_time - event.start_time)}` : ""}
            </span>
          )}
          {event.source && <Tag>{event.source}</Tag>}
        </div>
        {event.description && <p className="t2">{event.description}</p>}
        {event.links.length > 0 && (
          <div className={classes.links}>
            {event.links.map((l) => (
              <a key={l.rel} href={l.href} target="_blank" rel="noreferrer">
                {l.label || l.rel}
                <IconExternalLink size={12} stroke={1.8} aria-label="(opens a new page)" />
              </a>
            ))}
          </div>
        )}
      </div>
      {canEdit && <Actions stream={stream} event={event} edit={edit} />}
    </article>
  );
}

function Actions({ stream, event, edit }: { stream: string; event: Event; edit: () => void }) {
  const { id, ...rest } = event;
  const restore = useChange(["annotations"], () => annotations.add(stream, rest));
  const remove = useChange(["annotations"], () => annotations.remove(stream, id));
  const failed = (err: Error) => toast(err.message, { tone: "error" });
  return (
    <Menu
      label={`Actions for ${event.title}`}
      items={[
        { label: "Edit", run: edit },
        "line",
        {
          label: "Delete",
          danger: true,
          // Promises, since the row is gone by the time of the answer.
          run: () =>
            void remove.mutateAsync(undefined).then(
              () =>
                toast(`${event.title} is deleted.`, {
                  undo: () => void restore.mutateAsync(undefined).catch(failed),
                }),
              failed,
            ),
        },
      ]}
      target={(p) => (
        <IconButton label={`Actions for ${event.title}`} {...p}>
          <IconDots size={17} stroke={1.6} />
        </IconButton>
      )}
    />
  );
}
