// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { clear, render, submit, type } from "../testing/dom";
import { NameDialog } from "./FormDialog";

afterEach(clear);

async function open(run: (name: string) => Promise<unknown>, optional = false) {
  await import("../components/overlays.impl"); // the dialog comes by itself later
  const close = vi.fn();
  await act(async () => {
    render(
      <QueryClientProvider client={new QueryClient()}>
        <NameDialog title="Rename" action="Rename" initial="" optional={optional} close={close} run={run} />
      </QueryClientProvider>,
    );
  });
  const form = document.querySelector("form") as HTMLFormElement;
  return { form, name: form.querySelector("input") as HTMLInputElement, close };
}

test("a name that is missing is said at its field, and nothing is done", async () => {
  const run = vi.fn(async () => undefined);
  const { form, name, close } = await open(run);
  type(name, "  ");
  await submit(form);
  expect([...document.querySelectorAll("[role=alert]")].map((a) => a.textContent)).toEqual(["Name is missing."]);
  expect(name.getAttribute("aria-invalid")).toBe("true");
  expect(run).not.toHaveBeenCalled();
  expect(close).not.toHaveBeenCalled();
});

test("a name that is there is taken, without the room around it", async () => {
  const run = vi.fn(async () => undefined);
  const { form, name, close } = await open(run);
  type(name, " Checkout ");
  await submit(form);
  expect(run).toHaveBeenCalledWith("Checkout");
  expect(close).toHaveBeenCalled();
});

test("a name that may be left out is not asked for", async () => {
  const run = vi.fn(async () => undefined);
  const { form } = await open(run, true);
  await submit(form);
  expect(run).toHaveBeenCalledWith("");
});
