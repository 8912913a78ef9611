// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, expect, test } from "vitest";
import { tags } from "../../api/metrics";
import { clear, key, render, type } from "../../testing/dom";
import TagNames from "./TagNames";

afterEach(clear);

function open(taken: string[] = []) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const named = ["environment", "host", "Region"].map((name) => ({ name, values: 2 }));
  client.setQueryData(tags.names(["m"]).queryKey, { tags: named } as never);
  const picked: string[] = [];
  const box = render(
    <QueryClientProvider client={client}>
      <TagNames metrics={["m"]} taken={taken} onPick={(name) => picked.push(name)} />
    </QueryClientProvider>,
  );
  return { picked, field: box.querySelector("input") as HTMLInputElement };
}

test("typing and Enter take the first tag that was found", () => {
  const { picked, field } = open();
  type(field, "reg");
  key(field, "Enter");
  expect(picked).toEqual(["Region"]);
});

test("arrows choose another, around the ends too", () => {
  const { picked, field } = open();
  key(field, "ArrowDown");
  key(field, "Enter");
  key(field, "ArrowUp");
  key(field, "ArrowUp");
  key(field, "Enter");
  expect(picked).toEqual(["host", "Region"]);
});

test("Enter takes nothing where nothing was found", () => {
  const { picked, field } = open();
  type(field, "nothing");
  key(field, "Enter");
  expect(picked).toEqual([]);
});

test("a tag that is taken is not offered in another spelling", () => {
  const { picked, field } = open(["region"]);
  type(field, "reg");
  key(field, "Enter");
  expect(picked).toEqual([]);
});
