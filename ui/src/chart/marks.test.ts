import { expect, test } from "vitest";
import { flagged, flagsOf, labelled, type Mark, spans } from "./Marks";

const mark = (id: number, start_time: number, title: string): Mark => ({
  id,
  title,
  start_time,
  description: null,
  source: null,
  end_time: null,
  links: [],
});
const w = { start: 0, end: 1000, step: 1 };

test("labels appear in wide charts, where they hit no other flag", () => {
  const events = [
    mark(1, 100, "deploy checkout 4.18.0"),
    mark(2, 150, "failover"),
    mark(3, 980, "deploy checkout 4.18.1"),
  ];
  expect([...labelled(events, w, 800)]).toEqual([2]);
  expect(labelled(events, w, 400).size).toBe(0);
  expect([...labelled([mark(1, 100, "deploy"), mark(2, 500, "deploy")], w, 800)]).toEqual([1, 2]);
});

test("flags that would hide each other are one with a count", () => {
  const flags = flagsOf([mark(1, 100, "a"), mark(2, 110, "b"), mark(3, 900, "c")], w, 800);
  expect(flags.map((f) => f.events.map((e) => e.id))).toEqual([[1, 2], [3]]);
});

test("there are never more than twelve flags", () => {
  const many = Array.from({ length: 59 }, (_, i) => mark(i, i * 17, "deploy"));
  const flags = flagsOf(many, w, 2000);
  expect(flags.length).toBeLessThanOrEqual(12);
  expect(flags.flatMap((f) => f.events)).toHaveLength(59);
});

const span = (id: number, start: number, end: number) => ({ ...mark(id, start, "x"), end_time: end });

test("what began before and goes on has its flag at the edge, with its label", () => {
  const events = [span(1, -50, 20), span(2, -90, 0), mark(3, -10, "over"), mark(4, 400, "in"), mark(5, 1000, "later")];
  const shown = flagged(events, w);
  expect(shown.map((e) => e.id)).toEqual([1, 4]);
  expect(flagsOf(shown, w, 800).map((f) => f.at)).toEqual([0, 400]);
  expect([...labelled(shown, w, 800)]).toEqual([1, 4]);
});

test("flags at the edge are one, with what begins beside it", () => {
  const flags = flagsOf([span(1, -500, 20), span(2, -10, 30), mark(3, 5, "in"), mark(4, 400, "in")], w, 800);
  expect(flags.map((f) => f.events.map((e) => e.id))).toEqual([[1, 2, 3], [4]]);
});

test("bands that overlap are one, and one that began before is drawn", () => {
  expect(spans([span(1, -50, 20), span(2, 10, 40), span(3, 60, 70), span(4, -90, -10)], w)).toEqual([
    { start: -50, end: 40 },
    { start: 60, end: 70 },
  ]);
});
