const newline = 10;

/** Bytes that came in parts, as one piece of their own. */
function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The lines of an answer, each as soon as it is there; one that is cut short is none. read is told how much came. */
export async function* linesOf(
  body: ReadableStream<Uint8Array>,
  read?: (bytes: number) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  let begun: Uint8Array[] = [];
  try {
    for (let part = await reader.read(); part.value; part = await reader.read()) {
      let rest = part.value;
      read?.(rest.length);
      for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
        yield joined([...begun, rest.subarray(0, end)]);
        begun = [];
        rest = rest.subarray(end + 1);
      }
      begun.push(rest);
    }
  } finally {
    await reader.cancel(); // whoever stops reading wants no more of it
  }
}
