import type { Words } from "../../api/types";
import { partInWords } from "../../lib/sentence";

type Props = {
  words: Words;
  /** Speaks of it in the past, and puts weight on the threshold. */
  was?: boolean;
};

/** When an alert fires: the metric is a machine's word, the rest is ours. */
export function Sentence({ words, was = false }: Props) {
  return words.map((p, i) => {
    const text = partInWords(p, was);
    if (p.kind === "metric")
      return (
        <span key={i} className="mono">
          {text}
        </span>
      );
    return p.kind === "quantity" && was ? <b key={i}>{text}</b> : text;
  });
}
