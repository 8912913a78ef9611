import { compact, type Decoded, textOf } from "./typedArrays";

/** Reads large answers beside the page: what comes back is numbers in a buffer, which changes hands without a copy. */
self.onmessage = ({ data }: MessageEvent<{ id: number; parts: Uint8Array[] }>) => {
  const { id, parts } = data;
  try {
    const { answer, buffer } = compact(JSON.parse(textOf(parts)));
    self.postMessage({ id, answer } satisfies Decoded, { transfer: [buffer] });
  } catch (err) {
    self.postMessage({ id, error: String(err) } satisfies Decoded);
  }
};
