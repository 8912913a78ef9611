/** The sentence of an alert: the metric is a machine's word, the rest is ours. Strong puts weight on the threshold. */
export function Sentence({ text, strong = false }: { text: string; strong?: boolean }) {
  const [metric, ...rest] = text.split(" ");
  const words = rest.join(" ");
  const [, before, threshold, after] = /^(.*?(?:above|below) )(.+?)(( for |,).*)?$/.exec(words) ?? [];
  return (
    <>
      <span className="mono">{metric}</span>{" "}
      {strong && threshold ? (
        <>
          {before}
          <b>{threshold}</b>
          {after}
        </>
      ) : (
        words
      )}
    </>
  );
}
