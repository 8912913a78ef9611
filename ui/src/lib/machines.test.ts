import { expect, test } from "vitest";
import type { Machine } from "../api/ui.gen";
import {
  behindAt,
  diskNear,
  fullDisk,
  fullMemory,
  machineName,
  machineNotice,
  shortTime,
  slowest,
  zones,
} from "./machines";

const machine = (id: string, over: Partial<Machine> = {}): Machine => ({
  id: `${id}:/var/lib/tidemark`,
  address: "http://127.0.0.1:8433",
  version: "1.0.0",
  engine: "clickhouse",
  started_at: 0,
  heartbeat: 1,
  state: "answers",
  does: [],
  measurements: 0,
  memory: 0,
  memory_limit: 0,
  disk_free: 60,
  disk_size: 100,
  behind: 0,
  behind_past: [],
  zone: "",
  draining: false,
  queries: 0,
  query_p95: 0,
  ...over,
});

test("a machine has the name of its host", () => {
  expect(machineName(machine("tm-01"))).toBe("tm-01");
});

test("parts are unknown where nothing limits them", () => {
  expect(fullDisk(machine("a"))).toBeCloseTo(40);
  expect(fullDisk(machine("a", { disk_size: 0 }))).toBeUndefined();
  expect(fullMemory(machine("a", { memory: 5 }))).toBeUndefined();
  expect(fullMemory(machine("a", { memory: 5, memory_limit: 10 }))).toBe(50);
});

test("a disk is near from 80 % on, and at its end from 95 %", () => {
  expect([79.9, 80, 94, 95].map(diskNear)).toEqual(["quiet", "near", "near", "at"]);
});

test("the worst is said first, and nothing while all is well", () => {
  const well = [machine("a"), machine("b")];
  expect(machineNotice(well)).toBeUndefined();
  const old = machine("c", { version: "0.9.0" });
  expect(machineNotice([...well, old])?.title).toBe("2 versions run side by side.");
  const full = machine("d", { disk_free: 15 });
  expect(machineNotice([old, ...well, full])?.title).toBe("The disk of d is nearly full.");
  const late = machine("e", { behind: 41.3 });
  expect(machineNotice([full, late])?.title).toBe("Alerts are evaluated 41 s late.");
  const gone = machine("f", { state: "gone", heartbeat: 90 });
  expect(machineNotice([late, gone])?.text).toMatch(/^What it did for all moved to the others/);
  expect(machineNotice([gone])?.text).toMatch(/^Nobody does what it did/);
});

test("zones are counted once, and only where there are some", () => {
  expect(
    zones([machine("a"), machine("b", { zone: "1" }), machine("c", { zone: "1" }), machine("d", { zone: "2" })]),
  ).toBe(2);
});

test("the slowest is one that was asked", () => {
  const idle = machine("a", { query_p95: 9 });
  expect(slowest([idle])).toBeUndefined();
  const quick = machine("b", { queries: 1, query_p95: 0.1 });
  expect(slowest([idle, quick, machine("c", { queries: 2, query_p95: 0.3 })])?.query_p95).toBe(0.3);
});

test("times under a second are milliseconds", () => {
  expect([0, 0.00296, 0.0448, 0.99, 1, 41.2].map(shortTime)).toEqual(
    ["0 ms", "2.96 ms", "44.8 ms", "990 ms", "1 s", "41.2 s"].map((t) => t.replace(" ", "\u00a0")),
  );
});

test("ten times as late is a step further, and what is off the scale is at its ends", () => {
  expect([0, 0.1, 1, 10, 100, 1000, 9999].map((s) => Math.round(behindAt(s) * 4))).toEqual([0, 0, 1, 2, 3, 4, 4]);
});
