import { expect, test } from "vitest";
import { addDays, atDay, isoDay, parseDay, piecesOf, weekNumber, weekOf } from "./week";

const berlin = { locale: "en-GB", zone: "Europe/Berlin" };
const american = { locale: "en-US", zone: "America/New_York" };
const day = (text: string) => parseDay(text) as NonNullable<ReturnType<typeof parseDay>>;

test("weeks begin as the locale has it", () => {
  expect(weekOf(day("2026-11-18"), berlin).map(isoDay)).toEqual([
    "2026-11-16",
    "2026-11-17",
    "2026-11-18",
    "2026-11-19",
    "2026-11-20",
    "2026-11-21",
    "2026-11-22",
  ]);
  expect(isoDay(weekOf(day("2026-11-18"), american)[0] as never)).toBe("2026-11-15");
});

test("weeks are counted as the locale has it", () => {
  expect(weekNumber(weekOf(day("2026-11-18"), berlin), berlin)).toBe(47);
  expect(weekNumber(weekOf(day("2027-01-02"), berlin), berlin)).toBe(53);
  expect(weekNumber(weekOf(day("2027-01-04"), berlin), berlin)).toBe(1);
  expect(weekNumber(weekOf(day("2027-01-02"), american), american)).toBe(1);
});

test("a day is no day where it is written otherwise", () => {
  expect(parseDay("18.11.2026")).toBeUndefined();
  expect(parseDay(undefined)).toBeUndefined();
  expect(isoDay(addDays(day("2026-12-31"), 1))).toBe("2027-01-01");
});

test("what falls on a day lies where the clock on the wall says, also when clocks are changed", () => {
  const spring = day("2026-03-29"); // 02:00 is 03:00
  const at = (secs: number) => atDay(spring, secs, berlin);
  const [piece] = piecesOf([{ of: 1, start: at(0), end: at(12 * 3600) }], spring, berlin);
  expect(piece).toMatchObject({ from: 0, to: 0.5 });
  const over = { of: 1, start: at(22 * 3600), end: atDay(addDays(spring, 1), 2 * 3600, berlin) };
  expect(piecesOf([over], spring, berlin)[0]).toMatchObject({ to: 1 });
  expect(piecesOf([over], addDays(spring, 1), berlin)[0]).toMatchObject({ from: 0, to: 2 / 24 });
  expect(piecesOf([over], addDays(spring, 2), berlin)).toEqual([]);
});

test("those that overlap stand beside each other, later ones have the whole width again", () => {
  const d = day("2026-11-18");
  const hours = (of: string, from: number, to: number) => ({
    of,
    start: atDay(d, from * 3600, berlin),
    end: atDay(d, to * 3600, berlin),
  });
  const pieces = piecesOf([hours("a", 1, 4), hours("b", 2, 3), hours("c", 3, 5), hours("d", 6, 7)], d, berlin);
  expect(pieces.map((p) => [p.of, p.lane, p.lanes])).toEqual([
    ["a", 0, 2],
    ["b", 1, 2],
    ["c", 1, 2],
    ["d", 0, 1],
  ]);
});
