import { expect, test } from "vitest";
import { labelled, type Mark } from "./Marks";

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
