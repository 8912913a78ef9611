import { expect, test } from "vitest";
import type { Version } from "../../../api/ui.gen";
import { between, byDay, chosenOf, keptWords, savesOf, sentence, timeOf, when } from "./saves";

const now = Date.UTC(2026, 10, 18, 12) / 1000;
const at = (minutes: number) => now - minutes * 60;
const version = (number: number, minutes: number, actor = "user:ann@example.org", more: object = {}): Version => ({
  number,
  at: at(minutes),
  actor,
  action: "space.layout",
  document: { name: "Shop" },
  ...more,
});
const numbers = (versions: Version[], apart?: ReadonlySet<number>) =>
  savesOf(versions, apart).map((s) => [s.all.map((v) => v.number), s.before?.number]);

test("saves of one person within ten minutes are one, compared with what was before the first", () => {
  expect(numbers([version(4, 1), version(3, 5), version(2, 11), version(1, 60)])).toEqual([
    [[4, 3, 2], 1],
    [[1], undefined],
  ]);
  expect(numbers([version(3, 1), version(2, 12), version(1, 14)])).toEqual([
    [[3], 2],
    [[2, 1], undefined],
  ]);
});

test("saves of others, of nobody, what was restored and what has a name are not hidden", () => {
  expect(numbers([version(3, 1), version(2, 2, "user:bob@example.org"), version(1, 3)])).toHaveLength(3);
  expect(numbers([version(2, 1, ""), version(1, 2, "")])).toHaveLength(2);
  expect(numbers([version(3, 1), version(2, 2, undefined, { restored: 1 }), version(1, 3)])).toHaveLength(3);
  expect(numbers([version(3, 1), version(2, 2, undefined, { name: "before sale" }), version(1, 3)])).toEqual([
    [[3], 2],
    [[2, 1], undefined],
  ]);
});

test("each of several is a save of its own where one of them is asked for", () => {
  const versions = [version(4, 1), version(3, 5), version(2, 9), version(1, 60)];
  expect(numbers(versions, new Set([3]))).toEqual([
    [[4], 3],
    [[3], 2],
    [[2], 1],
    [[1], undefined],
  ]);
  expect(numbers(versions, new Set([4]))).toHaveLength(2);
});

test("the latest is chosen where the address names none", () => {
  const saves = savesOf([version(4, 1), version(3, 5), version(1, 60)]);
  expect(chosenOf(saves, undefined)?.version.number).toBe(4);
  expect(chosenOf(saves, 3)?.version.number).toBe(4);
  expect(chosenOf(saves, 1)?.version.number).toBe(1);
  expect(chosenOf(saves, 9)).toBeUndefined();
});

test("days as people name them", () => {
  const saves = savesOf([version(4, 1), version(3, 60), version(2, 24 * 60), version(1, 9 * 24 * 60)]);
  expect(byDay(saves, now).map((d) => [d.title, d.date, d.saves.length])).toEqual([
    ["Today", expect.stringContaining("18"), 2],
    ["Yesterday", expect.stringContaining("17"), 1],
    ["Earlier", "", 1],
  ]);
  expect(when(at(1), now)).toBe(`today, ${timeOf(at(1), now)}`);
  expect(when(at(24 * 60), now)).toBe(`yesterday, ${timeOf(at(24 * 60), now)}`);
  expect(timeOf(at(9 * 24 * 60), now)).toContain("9");
  expect(between(at(60), at(1), now)).toBe(`between ${timeOf(at(60), now)} and ${timeOf(at(1), now)}`);
  expect(between(at(24 * 60), at(1), now)).toContain("yesterday, ");
});

test("what a save did is said of all that it stands for", () => {
  const names = { service: String };
  const made = version(1, 20, undefined, { action: "space.create" });
  const renamed = version(2, 15, undefined, { document: { name: "Shop of two" } });
  const [both] = savesOf([renamed, made]);
  expect(both && sentence(both, names)).toBe("Made");
  const [later] = savesOf([version(3, 1, undefined, { document: { name: "Last" } }), renamed, made]);
  expect(later && sentence(later, names)).toBe("Name to Last");
  expect([keptWords(23, 0), keptWords(23, 100)]).toEqual(["23, all kept", "23, latest 100 kept"]);
});
