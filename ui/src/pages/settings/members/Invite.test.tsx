// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { answer, clear, render, submit, type } from "../../../testing/dom";
import { Invite } from "./Invite";

afterEach(() => {
  clear();
  vi.unstubAllGlobals();
});

async function open() {
  await import("../../../components/overlays.impl"); // the dialog comes by itself later
  await act(async () => {
    render(
      <QueryClientProvider client={new QueryClient()}>
        <Invite mail={false} close={() => undefined} />
      </QueryClientProvider>,
    );
  });
  const form = document.querySelector("form") as HTMLFormElement;
  return { form, email: form.querySelector("input") as HTMLInputElement };
}

const alerts = () => [...document.querySelectorAll("[role=alert]")].map((a) => a.textContent);

test("what the server says about the address stands at its field, once", async () => {
  const asked = answer(422, { errors: { params: { email: ["is not an e-mail address"] } } });
  const { form, email } = await open();
  type(email, "ann");
  await submit(form);
  expect(asked()).toEqual([["POST", "/ui/api/invitations", { email: "ann", role: "member" }]]);
  expect(alerts()).toEqual(["E-mail is not an e-mail address."]);
  expect(email.getAttribute("aria-invalid")).toBe("true");
  expect(email.value).toBe("ann");
});

test("what is about no field stands above the buttons", async () => {
  answer(422, { errors: { request: ["There are as many members as there may be."] } });
  const { form, email } = await open();
  type(email, "ann@example.org");
  await submit(form);
  expect(alerts()).toEqual(["There are as many members as there may be."]);
  expect(email.getAttribute("aria-invalid")).toBeNull();
});

test("who is invited gets a link to pass on", async () => {
  answer(201, { id: 1, email: "ann@example.org", url: "https://example.org/invite/k", expires_at: 1_900_000_000 });
  const { form, email } = await open();
  type(email, "ann@example.org");
  await submit(form);
  expect(document.body.textContent).toContain("ann@example.org is invited");
  expect(document.body.textContent).toContain("https://example.org/invite/k");
});
