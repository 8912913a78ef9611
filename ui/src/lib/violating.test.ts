import { expect, test } from "vitest";
import type { AlertDetail, ViolatingStream } from "../api/ui.gen";
import type { Line } from "../chart/data";
import { called, tellingTags, tookPart, violatingStreams } from "./violating";

const line = (region: string, now: number) =>
  ({ tags: { region, env: "prod" }, values: [1, now, now] }) as unknown as Line;
const violating = (region: string, more: Partial<ViolatingStream> = {}): ViolatingStream => ({
  stream: `env=prod,region=${region}`,
  metric: "latency",
  value: 260,
  unit: "ms",
  since: 1000,
  recorded_at: 1200,
  condition_id: 1,
  peak: 300,
  ...more,
});
const alert = (type: string, streams: ViolatingStream[], against?: object) =>
  ({
    alert: { conditions: [{ id: 1, type, against, metric_name: "latency" }] },
    violating: streams,
  }) as unknown as AlertDetail;
const names = (all: { name: string }[]) => all.map((s) => s.name.replace(/.*=/, ""));

test("the worst now is first, by what the chart shows", () => {
  const lines = [line("ap", 278), line("eu", 368), line("us", 283)];
  const rows = violatingStreams(
    alert(
      "above",
      ["ap", "eu", "us"].map((r) => violating(r)),
    ),
    lines,
  );
  expect(names(rows)).toEqual(["eu", "us", "ap"]);
  expect(rows.map((r) => r.now)).toEqual([368, 283, 278]);
  expect(rows.map((r) => r.peak)).toEqual([368, 300, 300]);
  expect(tellingTags(rows)).toEqual(["region"]);
  expect(rows.map((r) => called(r, ["region"]))).toEqual(["eu", "us", "ap"]);
});

test("of values that are too low the lowest is the worst", () => {
  const rows = violatingStreams(alert("below", [violating("ap", { peak: 3 }), violating("eu")]), [
    line("ap", 5),
    line("eu", 2),
  ]);
  expect(names(rows)).toEqual(["eu", "ap"]);
  expect(rows.map((r) => r.peak)).toEqual([2, 3]);
});

test("what is compared with the past is not the value of the line", () => {
  const band = { kind: "band" };
  const rows = violatingStreams(alert("below", [violating("ap", { value: 4, peak: 6 })], band), [line("ap", 278)]);
  expect(rows[0]).toMatchObject({ now: 4, peak: 6 });
});

test("a silent stream has no value now, and counts from when it was last seen", () => {
  const [row] = violatingStreams(alert("absent", [violating("ap")]), []);
  expect(row).toMatchObject({ silent: true, since: 1200 });
  expect(row?.now).toBeUndefined();
});

test("one stream alone, or one that is not drawn, keeps its whole name", () => {
  expect(tellingTags(violatingStreams(alert("above", [violating("ap")]), [line("ap", 1)]))).toEqual([]);
  const two = violatingStreams(alert("above", [violating("ap"), violating("eu")]), [line("ap", 1)]);
  expect(tellingTags(two)).toEqual([]);
});

test("who took part in an incident that is over, and who joined it", () => {
  const violation = (region: string, value: number, since: number) => ({
    ...violating(region),
    value,
    since,
    condition_violated: 1,
    seen_at: since,
  });
  const over = { triggered_at: 1000, violations: [violation("ap", 270, 990), violation("eu", 380, 1100)] };
  const rows = tookPart(alert("above", []), over, [], "ms");
  expect(names(rows)).toEqual(["eu", "ap"]);
  expect(rows.map((r) => r.joined)).toEqual([true, false]);
});
