import type { Result } from "./query";
import type { Decoded } from "./typedArrays";

type Waiting = { resolve: (r: Result) => void; reject: (e: Error) => void };
const waiting = new Map<number, Waiting>();
let worker: Worker | undefined;
let next = 1;

function make(): Worker {
  const made = new Worker(new URL("./decode.worker.ts", import.meta.url), { type: "module" });
  made.onmessage = ({ data }: MessageEvent<Decoded>) => {
    const job = waiting.get(data.id);
    waiting.delete(data.id);
    if ("result" in data) job?.resolve(data.result);
    else job?.reject(new Error(data.error));
  };
  made.onerror = () => {
    for (const job of waiting.values()) job.reject(new Error("The answer could not be read."));
    waiting.clear();
    worker = undefined;
  };
  return made;
}

/** The worker, which takes a moment to come: whoever will need it may start it before. */
export function start(): Worker {
  worker ??= make();
  return worker;
}

/** Reads a large result in a worker, so that the page stays quick meanwhile. */
export function decode(bytes: Uint8Array<ArrayBuffer>): Promise<Result> {
  const id = next++;
  const done = new Promise<Result>((resolve, reject) => waiting.set(id, { resolve, reject }));
  start().postMessage({ id, bytes }, [bytes.buffer]);
  return done;
}
