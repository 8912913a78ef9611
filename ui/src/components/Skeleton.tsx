import { Panel } from "./Panel";
import classes from "./Skeleton.module.css";

/** Grey bars of the final size. They show themselves after a moment only. */
export function Skeleton({
  height,
  width = "100%",
  radius = 6,
}: {
  height: number | string;
  width?: number | string;
  radius?: number;
}) {
  return <div className={classes.skeleton} style={{ height, width, borderRadius: radius }} aria-hidden />;
}

export function SkeletonRows({ rows = 6, height = 48 }: { rows?: number; height?: number }) {
  return (
    <Panel aria-busy>
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} className={classes.skeletonRow} style={{ height }}>
          <Skeleton height={12} width={`${[34, 26, 41, 30, 22][i % 5]}%`} />
          <Skeleton height={12} width="12%" />
        </div>
      ))}
    </Panel>
  );
}
