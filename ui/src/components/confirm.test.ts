import { describe, expect, test } from "vitest";
import { answer, ask, discard } from "./confirm";

describe("ask", () => {
  test("gives the answer to the caller", async () => {
    const yes = ask({ title: "Delete it?", action: "Delete" });
    answer(true);
    expect(await yes).toBe(true);
    const no = ask({ title: "Delete it?", action: "Delete" });
    answer(false);
    expect(await no).toBe(false);
  });

  test("a second question answers the first with no", async () => {
    const first = ask({ title: "One?", action: "Do" });
    const second = ask({ title: "Two?", action: "Do" });
    expect(await first).toBe(false);
    answer(true);
    expect(await second).toBe(true);
  });

  test("an answer to an older question is not taken for this one", async () => {
    const open = ask({ title: "Two?", action: "Do" });
    answer(true, -1);
    let answered = false;
    void open.then(() => {
      answered = true;
    });
    await Promise.resolve();
    expect(answered).toBe(false);
    answer(false);
    expect(await open).toBe(false);
  });
});

test("discard names what would be lost, where it has a name", () => {
  expect(discard("telegraf").title).toBe("Discard changes to telegraf?");
  expect(discard()).toMatchObject({ title: "Discard changes?", keep: "Keep editing", action: "Discard", danger: true });
});
