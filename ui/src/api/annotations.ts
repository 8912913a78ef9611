import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { ask, call, withQuery } from "./client";
import type { AnnotationStream, Event } from "./types";
import type { AnnotationStreamList } from "./types.gen";

type StreamAnswer = AnnotationStream & { events?: Record<string, Event[]> };
export type EventDraft = Partial<Omit<Event, "id">> & { title: string };
const path = (stream: string, id?: number) =>
  `/v1/annotations/${encodeURIComponent(stream)}${id === undefined ? "" : `/${id}`}`;

/** Events come keyed by source; pages want them by time. */
export function byTime(answer: StreamAnswer): Event[] {
  return Object.values(answer.events ?? {})
    .flat()
    .sort((a, b) => a.start_time - b.start_time || a.id - b.id);
}

export const annotations = {
  streams: queryOptions({
    queryKey: ["annotations", "streams"],
    queryFn: ({ signal }) => call<AnnotationStreamList>("GET", "/v1/annotations?length=100", undefined, signal),
  }),
  events: (stream: string, start: number, end: number) =>
    queryOptions({
      queryKey: ["annotations", "events", stream, start, end],
      queryFn: async ({ signal }) =>
        byTime(
          await call<StreamAnswer>(
            "GET",
            withQuery(path(stream), { start_time: start, end_time: end, overlapping: "true" }),
            undefined,
            signal,
          ),
        ),
      staleTime: 30_000,
    }),
  add: (stream: string, event: EventDraft) => call<Event>("POST", path(stream), event),
  update: (stream: string, id: number, patch: Partial<Event>) => call<void>("PUT", path(stream, id), patch),
  remove: (stream: string, id: number) => call<void>("DELETE", path(stream, id)),
};

const grain = 300;

/** The events of a shared space. */
export function sharedEvents(link: string, w: { start: number; end: number }, space?: number) {
  const start = Math.floor(w.start / grain) * grain;
  const end = Math.ceil(w.end / grain) * grain;
  return queryOptions({
    queryKey: ["shared", link, "events", start, end, space],
    queryFn: async ({ signal }) => {
      const query = { start_time: start, end_time: end, space };
      return (await ask("GET /ui/api/shared/{key}/annotations", { at: { key: link }, query, signal })).events;
    },
    placeholderData: keepPreviousData,
  });
}
