import { ApiError } from "./client";
import { linesOf } from "./lines";
import type { Result } from "./query";
import { withTimes } from "./typedArrays";
import type { OneResult } from "./ui.gen";

/** The size of 20,000 points with their times, at twenty digits a pair. */
const large = 400_000;
const comma = 44;

async function startBeside() {
  const module = await import("./decodeInWorker");
  module.start();
  return module;
}

const parse = (bytes: Uint8Array) => withTimes(JSON.parse(new TextDecoder().decode(bytes)) as OneResult);

/**
 * Reads an answer as it comes: a line before the results, one for each of them,
 * and one that ends it. Each is handed on when it is there. What comes behind
 * much is read beside the page, which would stand still meanwhile.
 */
export async function readResults(res: Response, each: (r: Result) => void): Promise<void> {
  let size = 0;
  let beside: ReturnType<typeof startBeside> | undefined;
  const came = (bytes: number) => {
    size += bytes;
    if (size > large) beside ??= startBeside(); // the worker is there when the rest is
  };
  const reading: Promise<void>[] = [];
  let [begun, whole] = [false, false];
  for await (const line of linesOf(res.body ?? new ReadableStream({ start: (to) => to.close() }), came)) {
    whole = line[0] === "]".charCodeAt(0);
    if (!begun || whole) {
      begun = true;
      continue;
    }
    const bytes = line[0] === comma ? line.subarray(1) : line;
    if (!beside) {
      each(parse(bytes));
      continue;
    }
    const read = beside.then((worker) => worker.decode(bytes)).then(each);
    read.catch(() => undefined); // said below, when the others are there
    reading.push(read);
  }
  await Promise.all(reading);
  if (!whole) throw new ApiError(0, "The answer was cut short.");
}
