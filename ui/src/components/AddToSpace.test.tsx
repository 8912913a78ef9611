// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from "@tanstack/react-router";
import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { spaces } from "../api/spaces";
import { answer, clear, press, render } from "../testing/dom";
import { Toasts } from "../toasts/Toasts";
import { dismiss } from "../toasts/toast";
import { AddToSpace } from "./AddToSpace";

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
const navigate = vi.spyOn(router, "navigate").mockResolvedValue();

beforeEach(() => {
  navigate.mockClear();
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  act(() => dismiss());
  clear();
  vi.unstubAllGlobals();
});

/** The entries of the menu, where these spaces are. */
async function open(names: string[]): Promise<HTMLElement[]> {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  });
  client.setQueryData(spaces.all.queryKey, { spaces: names.map((name, i) => ({ id: i + 1, name })) } as never);
  const box = render(
    <QueryClientProvider client={client}>
      <RouterContextProvider router={router}>
        <AddToSpace chart={{ name: "Latency", type: "line", streams: [] }} />
        <Toasts />
      </RouterContextProvider>
    </QueryClientProvider>,
  );
  press(box.querySelector("button"));
  await act(async () => undefined);
  return [...document.querySelectorAll<HTMLElement>("[role=menuitem]")];
}

/** Waits until this is said. */
const said = (words: string) =>
  vi.waitFor(async () => {
    await act(async () => undefined);
    expect(document.body.textContent).toContain(words);
  });
const button = (words: string) => [...document.querySelectorAll("button")].find((b) => b.textContent === words);

test("where there is no space, one is made of the chart, and can be opened", async () => {
  const asked = answer(201, { id: 7 });
  const items = await open([]);
  expect(items.map((i) => i.textContent)).toEqual(["New space with this chart"]);
  press(items[0]);
  await said("Added to a new space.");
  expect(JSON.stringify(asked())).toContain('"Latency"');
  press(button("Open"));
  expect(navigate).toHaveBeenCalledWith(expect.objectContaining({ to: "/spaces/$id", params: { id: "7" } }));
});

test("a space that a chart was added to can be opened from the note", async () => {
  answer(201, { id: 30 });
  const items = await open(["Checkout", "Search"]);
  press(items[1]);
  await said("Added to Search");
  press(button("Open"));
  expect(navigate).toHaveBeenCalledWith(expect.objectContaining({ to: "/spaces/$id", params: { id: "2" } }));
});
