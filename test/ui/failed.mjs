/** A reporter of node --test: the files in which a test failed, a line each, as soon as it has. */
export default async function* failed(events) {
  const files = new Set();
  for await (const { type, data } of events) {
    if (type !== "test:fail" || !data.file || files.has(data.file)) continue;
    files.add(data.file);
    yield `${data.file}\n`;
  }
}
