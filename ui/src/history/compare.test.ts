import { expect, test } from "vitest";
import type { Version } from "../api/ui.gen";
import { chartWords, compare, pairs, summary } from "./compare";

const names = { service: (id: number) => (id === 1 ? "ops mail" : `service ${id}`) };
const version = (number: number, action: string, document: object, more: object = {}): Version => ({
  number,
  at: 0,
  actor: "user:ann@example.org",
  action,
  document: document as Version["document"],
  ...more,
});

test("an alert, in the words of its editor", () => {
  const was = {
    name: "high",
    active: true,
    rearm_seconds: 600,
    services: [],
    conditions: [{ id: 1, type: "above", metric_name: "cpu", threshold: 250, tags: [] }],
    attributes: {},
  };
  const is = {
    ...was,
    active: false,
    rearm_seconds: 3600,
    services: [1],
    conditions: [
      { id: 1, type: "above", metric_name: "cpu", threshold: 300, tags: [{ name: "host", values: ["web-1"] }] },
      { id: 2, type: "absent", metric_name: "disk", tags: [] },
    ],
    attributes: { runbook_url: "https://example.org" },
    labels: { team: "shop" },
  };
  expect(compare("alert", was, is, names)).toEqual([
    { mark: "Changed", of: "", what: "Status", before: "Active", after: "Inactive" },
    { mark: "Changed", of: "", what: "While firing, notify every", before: "10 min", after: "1 h" },
    { mark: "Changed", of: "", what: "Services", before: undefined, after: "ops mail" },
    { mark: "Changed", of: "Condition 1", what: "Threshold", before: "250", after: "300" },
    { mark: "Changed", of: "Condition 1", what: "Tags", before: undefined, after: "host: web-1" },
    { mark: "Added", of: "Condition 2", what: "Condition", before: undefined, after: "disk, Stops reporting" },
    { mark: "Added", of: "", what: "Label team", before: undefined, after: "shop" },
    { mark: "Added", of: "", what: "Runbook URL", before: undefined, after: "https://example.org" },
  ]);
  expect(compare("alert", is, is, names)).toEqual([]);
});

test("conditions that another client numbered anew belong together", () => {
  expect(pairs([{ id: 1 }, { id: 2 }], [{ id: 2 }, { id: 7 }])).toEqual([
    [{ id: 2 }, { id: 2 }],
    [{ id: 1 }, { id: 7 }],
  ]);
  expect(pairs([{ id: 1 }], [])).toEqual([[{ id: 1 }, undefined]]);
});

const box = (chart: number, row: number) => ({ chart, row, col: 0, width: 6, height: 4 });
const space = {
  name: "Shop",
  charts: [
    { id: 1, version: 1, name: "Orders", type: "line" },
    { id: 2, version: 1, name: "Queue", type: "line" },
    { id: 3, version: 1, name: "CPU", type: "line" },
  ],
  layout: [box(1, 0), box(2, 4), box(3, 8)],
  default_tags: [],
  annotations: [],
};

test("a space: charts that came, went, changed and moved", () => {
  const is = {
    ...space,
    charts: [
      { id: 1, version: 2, name: "Orders", type: "line" },
      { id: 2, version: 1, name: "Queue", type: "line" },
      { id: 4, version: 1, name: "", type: "line" },
    ],
    layout: [box(1, 0), box(2, 0)],
  };
  const rows = compare("space", space, is, names);
  expect(rows.map((r) => [r.mark, r.of, r.what])).toEqual([
    ["Changed", "Orders", "Chart"],
    ["Moved", "Queue", "Place"],
    ["Added", "Untitled", "Chart"],
    ["Removed", "CPU", "Chart"],
  ]);
  expect(rows.map((r) => r.chart)).toEqual([
    { id: 1, before: 1, after: 2 },
    { id: 2, before: 1, after: 1 },
    { id: 4, after: 1 },
    { id: 3, before: 1 },
  ]);
  expect(rows[1]).toMatchObject({
    before: "row 5, column 1",
    after: "row 1, column 1",
  });
  expect([rows[2]?.after, rows[3]?.before]).toEqual(["at the end", "row 9, column 1, 6 wide"]);
  expect(summary("space", version(2, "chart.update", is), version(1, "space.create", space), names)).toBe(
    "Untitled added; CPU removed; Orders changed; Queue moved",
  );
});

test("a chart that was made larger, and one that got a place", () => {
  const layout = [{ ...box(1, 0), width: 12, height: 5 }, box(2, 4), box(3, 8)];
  const places = (was: object, is: object) =>
    compare("space", { ...space, ...was }, { ...space, ...is }, names).map((r) => [r.of, r.before, r.after]);
  expect(places({}, { layout })).toEqual([["Orders", "6 wide, 4 high", "12 wide, 5 high"]]);
  expect(places({ layout: layout.slice(1) }, { layout })).toEqual([
    ["Orders", "at the end", "row 1, column 1, 12 wide"],
  ]);
});

test("what a save did, in one line", () => {
  const was = version(1, "alert.create", {
    name: "a",
    active: true,
    rearm_seconds: 60,
    conditions: [{ threshold: 1 }],
  });
  const is = version(2, "alert.update", { ...was.document, conditions: [{ threshold: 2 }] });
  expect(summary("alert", was, undefined, names)).toBe("Made");
  expect(summary("alert", is, was, names)).toBe("Condition: threshold to 2");
  expect(summary("alert", version(3, "alert.restore", was.document, { restored: 1 }), is, names)).toBe(
    "Restored version 1",
  );
  expect(summary("alert", version(1, "", {}), undefined, names)).toBe("As it was before versions were kept");
  expect(summary("alert", version(4, "alert.delete", {}), is, names)).toBe("Deleted");
  const more = version(5, "alert.update", { name: "b", active: false, rearm_seconds: 120, conditions: [] });
  expect(summary("alert", more, was, names)).toBe("Name to b; Status to Inactive; 2 more");
  expect(summary("space", version(2, "service.delete", space), version(1, "", space), names)).toBe("Saved");
});

test("what a chart shows beyond its type is compared in the words of its editor", () => {
  const was = { type: "line", attributes: { kind: "table", top: 5 } };
  const is = {
    type: "line",
    attributes: {
      kind: "gauge",
      order: "lowest",
      sort: 1,
      repeat: "host",
      bands: [{ from: 0, to: 100, type: "green" }],
      links: [{ title: "Runbook", url: "https://wiki.example.org/{host}" }],
    },
  };
  const said = compare("chart", was, is, names).map((r) => [r.mark, r.what, r.before, r.after]);
  expect(said).toEqual([
    ["Changed", "Shown as", "Table", "Gauge"],
    ["Changed", "Rows at most", "5", undefined],
    ["Changed", "First", undefined, "Lowest"],
    ["Changed", "Sorted by", undefined, "B"],
    ["Changed", "Repeat", undefined, "For each host"],
    ["Changed", "Bands", undefined, "0 to 100 green"],
    ["Changed", "Links", undefined, "Runbook (https://wiki.example.org/{host})"],
  ]);
});

test("sections of a space are named, and charts in them", () => {
  const place = { chart: 1, col: 0, row: 0, width: 6, height: 5 };
  const charts = [{ id: 1, version: 1, name: "Latency", type: "line" }];
  const was = { charts, layout: [place] };
  const is = { charts, layout: [{ ...place, section: 1 }], sections: [{ name: "Hosts", folded: true }] };
  expect(compare("space", was, is, names).map((r) => [r.mark, r.of, r.what, r.after])).toEqual([
    ["Changed", "", "Sections", "Hosts (folded)"],
    ["Moved", "Latency", "Place", "Hosts, row 1, column 1"],
  ]);
});

test("a chart in a few words", () => {
  const streams = [{ metric: "shop.latency" }, { metric: "shop.latency" }, { composite: "sum(1)" }];
  expect(chartWords({ type: "line", streams }, names)).toBe("Line of shop.latency and 1 more");
  expect(chartWords({ type: "line", attributes: { kind: "bar" }, streams: [{ metric: "a" }] }, names)).toBe("Bar of a");
  expect(chartWords({ type: "line", attributes: { kind: "text" }, streams: [] }, names)).toBe("Text");
});
