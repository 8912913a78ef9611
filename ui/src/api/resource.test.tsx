// @vitest-environment jsdom
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act } from "react";
import { afterEach, expect, test } from "vitest";
import { clear, press, render } from "../testing/dom";
import { useChange } from "./resource";

afterEach(clear);

/** Names that a server keeps, and a button that adds one. */
function Page({ server, done, fails = false }: { server: string[]; done: () => void; fails?: boolean }) {
  const { data } = useQuery({ queryKey: ["names"], queryFn: async () => [...server], retry: false });
  const add = useChange(
    ["names"],
    async (name: string) => {
      if (fails) throw new Error("No.");
      server.push(name);
    },
    done,
  );
  return (
    <button type="button" onClick={() => add.mutate("bob")}>
      {`${data?.join(", ")} ${add.error?.message ?? ""}`}
    </button>
  );
}

async function open(fails: boolean) {
  const seen: string[] = [];
  const server = ["ann"];
  const client = new QueryClient();
  const box = render(
    <QueryClientProvider client={client}>
      <Page server={server} fails={fails} done={() => seen.push(button()?.textContent ?? "")} />
    </QueryClientProvider>,
  );
  const button = () => box.querySelector("button");
  const rest = () => act(() => new Promise((r) => setTimeout(r, 5)));
  await rest();
  press(button());
  await rest();
  return { seen, shown: button()?.textContent?.trim() };
}

test("what pages show of it is fetched again, after what the caller does", async () => {
  expect(await open(false)).toEqual({ seen: ["ann "], shown: "ann, bob" });
});

test("a change that failed says so and changes nothing", async () => {
  expect(await open(true)).toEqual({ seen: [], shown: "ann No." });
});
