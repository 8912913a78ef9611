import { Panel } from "../../../components/Panel";
import { ErrorCard } from "../../../components/problems";
import { Skeleton } from "../../../components/Skeleton";
import { compare } from "../../../history/compare";
import { chartsIn, useChartVersions } from "../../../history/useDifferences";
import { useNames } from "../../../history/useNames";
import { count } from "../../../lib/format";
import classes from "./SpaceHistory.module.css";
import type { Save } from "./saves";
import { type LeftOut, type Line, nearby, textDifference, textOf } from "./textDifference";

/** The difference of both versions as JSON, line by line; of the first, all it is. */
export default function AsText({ save: { version, before } }: { save: Save }) {
  const names = useNames(false);
  const rows = before ? compare("space", before.document, version.document, names) : [];
  const charts = useChartVersions(chartsIn(rows));
  if (charts.error) return <ErrorCard error={charts.error} what="the charts" />;
  if (charts.pending)
    return (
      <Panel className={classes.text ?? ""} aria-busy>
        <Skeleton height={200} />
      </Panel>
    );
  const is = textOf(version.document, charts.of);
  const all = textDifference(before ? textOf(before.document, charts.of) : is, is);
  return (
    <Panel className={classes.text ?? ""}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it */}
      <pre tabIndex={0} role="region" aria-label="The difference as text">
        {(before ? nearby(all) : all).map((l, i) => (
          <TextLine key={i} line={l} />
        ))}
      </pre>
    </Panel>
  );
}

function TextLine({ line }: { line: Line | LeftOut }) {
  if (line.kind === "left out") return <span className={classes.leftOut}>{count(line.lines, "line")} alike</span>;
  if (line.kind === "added") return <ins>{`+ ${line.text}`}</ins>;
  if (line.kind === "removed") return <del>{`\u2212 ${line.text}`}</del>;
  return <span>{`  ${line.text}`}</span>;
}
