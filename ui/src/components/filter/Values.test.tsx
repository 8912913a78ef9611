// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { tags } from "../../api/metrics";
import type { Filter } from "../../lib/filters";
import { clear, key, render, type } from "../../testing/dom";
import Values from "./Values";

afterEach(clear);

const hosts = ["web-01", "web-02", "web-03"];

/** The list of hosts, as the server answers what is typed. */
function open(values: string[] = []) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  for (const q of ["", "02", "nothing"]) {
    const found = hosts.filter((h) => h.includes(q)).map((value) => ({ value, streams: 1 }));
    client.setQueryData(tags.values(["m"], "host", q).queryKey, { values: found } as never);
  }
  let now: Filter = { name: "host", values, not: false };
  function Page() {
    const [filter, setFilter] = useState(now);
    now = filter;
    const change = (name: string, picked: string[], not: boolean) => setFilter({ name, values: picked, not });
    return (
      <Values filter={filter} grouped={false} metrics={["m"]} onFilter={change} onGroup={() => {}} reach={undefined} />
    );
  }
  const box = render(
    <QueryClientProvider client={client}>
      <Page />
    </QueryClientProvider>,
  );
  return { box, field: box.querySelector("input") as HTMLInputElement, picked: () => now.values };
}

test("typing and Enter pick the first value that was found, and Enter again gives it back", () => {
  const { field, picked } = open();
  type(field, "02");
  key(field, "Enter");
  expect(picked()).toEqual(["web-02"]);
  key(field, "Enter");
  expect(picked()).toEqual([]);
});

test("arrows and Enter pick another, around the end too", () => {
  const { field, picked } = open();
  key(field, "ArrowDown");
  key(field, "Enter");
  key(field, "ArrowUp");
  key(field, "ArrowUp");
  key(field, "Enter");
  expect(picked()).toEqual(["web-02", "web-03"]);
});

test("what was picked before stays in the list, also without streams", () => {
  const { box, field, picked } = open(["db-01", "web-*"]);
  expect(box.textContent).toContain("db-010 streams");
  expect(box.textContent).toContain("web-*pattern");
  key(field, "ArrowUp");
  key(field, "Enter");
  expect(picked()).toEqual(["db-01"]);
});

test("Enter picks nothing where nothing was found", () => {
  const { field, picked } = open();
  type(field, "nothing");
  key(field, "Enter");
  expect(picked()).toEqual([]);
});
