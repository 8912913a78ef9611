import { expect, test } from "vitest";
import { linesOf } from "./lines";

/** A body that comes in parts of some bytes. */
function inParts(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(to) {
      for (let at = 0; at < bytes.length; at += size) to.enqueue(bytes.slice(at, at + size));
      to.close();
    },
  });
}

async function read(text: string, size: number) {
  const lines: string[] = [];
  let came = 0;
  const body = inParts(text, size);
  for await (const line of linesOf(body, (n) => {
    came += n;
  }))
    lines.push(new TextDecoder().decode(line));
  return { lines, came };
}

test("lines are whole, however they come, also where a letter is cut", async () => {
  const text = '[\n{"unit":"µs"}\n\n,{"unit":"°C"}\n]\n';
  const bytes = new TextEncoder().encode(text).length;
  for (const size of [1, 2, 3, 7, 1000]) {
    expect(await read(text, size)).toEqual({ lines: text.trimEnd().split("\n"), came: bytes });
  }
  expect(await read("", 1)).toEqual({ lines: [], came: 0 });
  expect(await read("a\n\nb", 1)).toEqual({ lines: ["a", ""], came: 4 });
});

test("a line is there before the next one is, and no more is read than wanted", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (to) => to.enqueue(new TextEncoder().encode("first\nsec")),
    cancel: () => {
      cancelled = true;
    },
  });
  for await (const line of linesOf(body)) {
    expect(new TextDecoder().decode(line)).toBe("first");
    break;
  }
  expect(cancelled).toBe(true);
});
