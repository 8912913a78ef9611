import { compact, type Decoded } from "./typedArrays";

/** Reads large answers beside the page: what comes back is numbers in buffers, which change hands without a copy. */
self.onmessage = ({ data }: MessageEvent<{ id: number; bytes: ArrayBuffer }>) => {
  const { id, bytes } = data;
  let said: Decoded;
  const buffers: ArrayBuffer[] = [];
  try {
    said = { id, answer: compact(JSON.parse(new TextDecoder().decode(bytes)), buffers) };
  } catch (err) {
    said = { id, error: String(err) };
  }
  self.postMessage(said, { transfer: buffers });
};
