import type { Answer } from "./query";
import type { Decoded } from "./typedArrays";

type Waiting = { resolve: (a: Answer) => void; reject: (e: Error) => void };
const waiting = new Map<number, Waiting>();
let worker: Worker | undefined;
let next = 1;

function start(): Worker {
  const made = new Worker(new URL("./decode.worker.ts", import.meta.url), { type: "module" });
  made.onmessage = ({ data }: MessageEvent<Decoded>) => {
    const job = waiting.get(data.id);
    waiting.delete(data.id);
    if ("answer" in data) job?.resolve(data.answer);
    else job?.reject(new Error(data.error));
  };
  made.onerror = () => {
    for (const job of waiting.values()) job.reject(new Error("The answer could not be read."));
    waiting.clear();
    worker = undefined;
  };
  return made;
}

/** Reads a large answer in a worker, so that the page stays quick meanwhile. */
export function decode(bytes: ArrayBuffer): Promise<Answer> {
  worker ??= start();
  const id = next++;
  const done = new Promise<Answer>((resolve, reject) => waiting.set(id, { resolve, reject }));
  worker.postMessage({ id, bytes }, [bytes]);
  return done;
}
