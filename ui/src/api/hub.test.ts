import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Hub, type Said, type Wanted } from "./hub";

/** A connection that was opened, and what the server says on it. */
class Connection extends EventTarget {
  closed = false;
  constructor(readonly url: string) {
    super();
  }
  close() {
    this.closed = true;
  }
  get streams() {
    return new URL(this.url, "http://x").searchParams.getAll("of");
  }
  says(name: string, data: object) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }
  firing(count: number, stream = 0) {
    this.says("said", { stream, event: "firing", data: `{"count":${count}}` });
  }
}

let opened: Connection[];
let heard: string[];
let hub: Hub<string>;

const watch: Wanted = { id: 1, path: "/o/1/ui/api/watch", own: false };
const editor: Wanted = { id: 2, path: "/o/1/ui/api/history/space/7/editors", own: true };
const latest = () => opened.at(-1) as Connection;
const set = (who: string, ...wanted: Wanted[]) =>
  hub.set(who, "/ui/api/streams", wanted, ({ id, data }: Said) => heard.push(`${who} ${id} ${data}`));
const soon = () => vi.advanceTimersByTime(50);

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(1);
  opened = [];
  heard = [];
  hub = new Hub<string>((url) => {
    const made = new Connection(url);
    opened.push(made);
    return made;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("ten pages hear one stream on one connection, those that come later too", () => {
  for (let i = 0; i < 9; i++) set(`page${i}`, watch);
  soon();
  latest().firing(2);
  set("late", watch);
  soon();
  expect(opened.map((c) => c.streams)).toEqual([[watch.path]]);
  expect(heard).toHaveLength(10);
  expect(heard.at(-1)).toBe('late 1 {"count":2}');
});

test("what else a page wants joins the connection, and what did not change is no news", () => {
  set("a", watch);
  soon();
  latest().firing(2);
  set("a", watch, editor);
  set("b", watch, { ...editor, id: 9 });
  soon();
  expect(opened.map((c) => [c.streams, c.closed])).toEqual([
    [[watch.path], true],
    [[watch.path, editor.path, editor.path], false],
  ]);
  heard = [];
  latest().firing(2);
  latest().says("said", { stream: 2, event: "editors", data: "[]" });
  expect(heard).toEqual(["b 9 []"]);
});

test("two organizations are two streams", () => {
  set("a", watch);
  set("b", { ...watch, path: "/o/2/ui/api/watch" });
  soon();
  latest().firing(3, 1);
  expect([latest().streams, heard]).toEqual([["/o/1/ui/api/watch", "/o/2/ui/api/watch"], ['b 1 {"count":3}']]);
});

test("the connection goes with the last page", () => {
  set("a", watch);
  set("b", watch);
  soon();
  hub.remove("a");
  soon();
  expect(latest().closed).toBe(false);
  hub.remove("b");
  expect([latest().closed, opened.length]).toEqual([true, 1]);
});

test("a connection that is lost is tried again, more and more slowly, until somebody looks", () => {
  set("a", watch);
  soon();
  latest().firing(2);
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    const before = opened.length;
    latest().dispatchEvent(new Event("error"));
    expect(latest().closed).toBe(true);
    vi.advanceTimersByTime(seconds * 1000 - 1);
    expect(opened).toHaveLength(before);
    vi.advanceTimersByTime(1);
    expect(opened).toHaveLength(before + 1);
  }
  latest().dispatchEvent(new Event("error"));
  hub.wake();
  soon();
  heard = [];
  latest().firing(2); // the same, but who knows what was missed
  expect(heard).toEqual(['a 1 {"count":2}']);
});

test("what is refused for good is left out; what only ended is asked for again", () => {
  set("a", watch, editor);
  soon();
  latest().says("ended", { stream: 1, status: 403 });
  expect(latest().closed).toBe(false);
  latest().says("ended", { stream: 0, status: 401 });
  vi.advanceTimersByTime(1000);
  expect(opened.map((c) => c.streams)).toEqual([[watch.path, editor.path], [watch.path]]);
  hub.wake(); // another person may have signed in
  soon();
  expect(latest().streams).toEqual([watch.path, editor.path]);
});
