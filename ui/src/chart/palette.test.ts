import { describe, expect, test } from "vitest";
import { colorOf, contrast, dashOf, linear, oklab, palette, panel, type Scheme } from "./palette";

type Matrix = [number[], number[], number[]];
// Machado, Oliveira and Fernandes 2009, severity 1.0, on linear light.
const sight: Record<string, Matrix> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function seen(hex: string, by: Matrix) {
  const c = linear(hex);
  const row = (r: number[]) =>
    Math.min(
      1,
      Math.max(
        0,
        r.reduce((sum, w, i) => sum + w * (c[i] ?? 0), 0),
      ),
    );
  return oklab([row(by[0]), row(by[1]), row(by[2])]);
}

function closest(colours: string[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const by of Object.values(sight)) {
    const labs = colours.map((c) => seen(c, by));
    for (const [i, p] of labs.entries()) {
      for (const q of labs.slice(i + 1)) least = Math.min(least, Math.hypot(p.l - q.l, p.a - q.a, p.b - q.b));
    }
  }
  return least * 100;
}

describe.each<[Scheme, number, number]>([
  ["light", 7.2, 6.7],
  ["dark", 9.1, 7.6],
])("the %s palette", (scheme, six, eight) => {
  const colours = palette.map((p) => p[scheme]);
  test("keeps its colours apart for every kind of sight", () => {
    expect(closest(colours.slice(0, 6))).toBeGreaterThan(six);
    expect(closest(colours)).toBeGreaterThan(eight);
  });
  test.each(colours)("%s stands out from the panel", (c) =>
    expect(contrast(c, panel[scheme])).toBeGreaterThanOrEqual(3),
  );
});

test("a palette colour follows the theme, any other is kept where it can be seen", () => {
  expect(colorOf({ hex: "#2E73E0" }, "dark")).toBe("#6FA6F5");
  expect(colorOf({ hex: "#6fa6f5" }, "light")).toBe("#2E73E0");
  expect(colorOf({ hex: "#AA0000" }, "light")).toBe("#AA0000");
  expect(contrast(colorOf({ hex: "#FFFFAA" }, "light"), panel.light)).toBeGreaterThanOrEqual(3);
  expect(contrast(colorOf({ hex: "#001100" }, "dark"), panel.dark)).toBeGreaterThanOrEqual(3);
});

test("lightness steps differ and stay readable", () => {
  const steps = [0, 1, 2, 3].map((step) => colorOf({ slot: 0, step }, "light"));
  expect(new Set(steps).size).toBe(4);
  for (const c of steps) expect(contrast(c, panel.light)).toBeGreaterThanOrEqual(3);
});

test("after eight colours the dash changes", () => {
  expect([0, 7, 8, 16, 24].map(dashOf)).toEqual([undefined, undefined, [6, 4], [2, 3], undefined]);
});
