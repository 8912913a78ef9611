import { expect, test } from "vitest";
import { toBytes, toText } from "./webauthn";

test("bytes become texts that addresses may hold, and come back", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (const n of [0, 1, 2, 3, 256]) {
    const text = toText(bytes.slice(0, n).buffer);
    expect(text).toMatch(/^[\w-]*$/);
    expect(toBytes(text)).toEqual(bytes.slice(0, n));
  }
});
