import { compact, type Decoded } from "./typedArrays";

/** Reads large results beside the page: what comes back is numbers in a buffer, which changes hands without a copy. */
self.onmessage = ({ data }: MessageEvent<{ id: number; bytes: Uint8Array }>) => {
  const { id, bytes } = data;
  try {
    const { result, buffer } = compact(JSON.parse(new TextDecoder().decode(bytes)));
    self.postMessage({ id, result } satisfies Decoded, { transfer: [buffer] });
  } catch (err) {
    self.postMessage({ id, error: String(err) } satisfies Decoded);
  }
};
