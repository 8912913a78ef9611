import { IconExternalLink } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { ReturnFocus } from "../components/overlays";
import { duration, weekdayAndClock } from "../lib/format";
import classes from "./EventCard.module.css";
import type { Mark } from "./Marks";

type Props = {
  event: Mark;
  at: DOMRect;
  close: () => void;
  /** Who looks through a link has no page of annotations. */
  readOnly?: boolean;
};

/** What is known about one flag: title, time, words, links. */
export function EventCard({ event, at, close, readOnly = false }: Props) {
  const el = useRef<HTMLDivElement>(null);
  useEffect(() => {
    el.current?.focus();
    const away = (e: Event) => {
      if (e instanceof KeyboardEvent ? e.key === "Escape" : !el.current?.contains(e.target as Node)) close();
    };
    document.addEventListener("pointerdown", away);
    document.addEventListener("keydown", away);
    return () => {
      document.removeEventListener("pointerdown", away);
      document.removeEventListener("keydown", away);
    };
  }, [close]);
  const left = Math.max(8, Math.min(at.left, innerWidth - 316));
  return (
    <div
      ref={el}
      className={classes.card}
      style={{ left, top: at.bottom + 6 }}
      role="dialog"
      aria-label={event.title}
      tabIndex={-1}
    >
      <ReturnFocus />
      <h3>{event.title}</h3>
      <p className="t3">
        {weekdayAndClock(event.start_time)}
        {event.end_time ? `, ${duration(event.end_time - event.start_time)}` : ""}
        {event.stream && (
          <>
            {" in "}
            <span className="mono">{event.stream}</span>
          </>
        )}
      </p>
      {event.description && <p>{event.description}</p>}
      <div className={classes.links}>
        {event.links.map((l) => (
          <a key={l.rel} href={l.href} target="_blank" rel="noreferrer">
            {l.label || l.rel} <IconExternalLink size={12} stroke={1.8} />
          </a>
        ))}
        {event.stream && !readOnly && (
          <Link to="/annotations/$name" params={{ name: event.stream }} search={{ event: String(event.id) }}>
            Edit
          </Link>
        )}
      </div>
    </div>
  );
}
