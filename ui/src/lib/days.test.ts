import { describe, expect, it } from "vitest";
import type { Event } from "../api/types";
import { byDay, matches } from "./days";

const who = { locale: "en-GB", zone: "Europe/Berlin" };
const now = Date.UTC(2026, 10, 15, 12) / 1000;
const event = (id: number, start_time: number, title = "deploy"): Event => ({
  id,
  title,
  description: null,
  source: null,
  start_time,
  end_time: null,
  links: [],
});

describe("byDay", () => {
  it("groups by the viewer's days, newest first", () => {
    // 23:30 in UTC is the next day in Berlin.
    const late = Date.UTC(2026, 10, 14, 23, 30) / 1000;
    const got = byDay([event(1, now - 86_400), event(2, late), event(3, now - 3600), event(4, 0)], now, who);
    expect(got.map((d) => [d.title, d.events.map((e) => e.id)])).toEqual([
      ["Today", [3, 2]],
      ["Yesterday", [1]],
      ["1 Jan 1970", [4]],
    ]);
  });
  it("names a day of this year by its weekday", () => {
    expect(byDay([event(1, now - 5 * 86_400)], now, who)[0]?.title).toBe("Tue 10 Nov");
  });
});

describe("matches", () => {
  it("wants every word, anywhere", () => {
    const e = { ...event(1, now, "Deploy checkout 4.18"), source: "web-01" };
    expect(matches(e, "WEB deploy")).toBe(true);
    expect(matches(e, "deploy search")).toBe(false);
    expect(matches(e, "")).toBe(true);
  });
});
