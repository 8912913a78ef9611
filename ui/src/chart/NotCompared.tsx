import type { ChartKind } from "../api/types";
import { useTime } from "../time/TimeContext";
import { notCompared } from "./kind";

/** Says of a chart that the past has no place in it, while the page is compared with one. */
export function NotCompared({ kind, className = "" }: { kind: ChartKind; className?: string | undefined }) {
  const { compare } = useTime();
  const why = compare && notCompared(kind);
  if (!why) return null;
  return (
    <span className={`t3 cut ${className}`} data-tip={why}>
      not compared
    </span>
  );
}
