// @vitest-environment jsdom
import { createRef } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clear, render } from "../testing/dom";
import type { Line } from "./data";
import { Legend, type LegendHandle } from "./Legend";

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
});
afterEach(() => {
  clear();
  vi.unstubAllGlobals();
});

test("of thousands of lines a crosshair writes only the names that have room", () => {
  let read = 0;
  const values = new Proxy([1, 2, 3], {
    get: (of, at) => {
      if (at === "1") read++;
      return Reflect.get(of, at);
    },
  });
  const lines = Array.from(
    { length: 2_000 },
    (_, i): Line => ({
      key: `0|${i}`,
      label: `web-${i}`,
      mono: true,
      unit: "",
      axis: 0,
      paint: { slot: 0 },
      stream: 0,
      tags: {},
      values,
      muted: i >= 8,
    }),
  );
  const names = createRef<LegendHandle>();
  render(
    <Legend ref={names} lines={lines} isolated={new Set()} onIsolate={() => undefined} onFocus={() => undefined} />,
  );
  read = 0;
  names.current?.show(1);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(200);
});
