import { lazy, type ReactNode, Suspense, useState } from "react";
import { useSession } from "../shell/useSession";
import { toast } from "../toasts/toast";

const Dialog = lazy(() => import("./AnnotateDialog").then((m) => ({ default: m.AnnotateDialog })));

/** A moment that something is noted at, or from when to when. */
export type Annotated = (time: number, until?: number) => void;

type Annotate = { take: { onAnnotate?: Annotated }; dialog: ReactNode };

/**
 * Alt and a press on a chart, or Alt and a drag, ask what happened there. What a chart takes, and
 * the question; sources are the annotation streams that the chart shows.
 */
export function useAnnotate(sources: string[]): Annotate {
  const { canEdit } = useSession();
  const [at, setAt] = useState<{ time: number; until: number | undefined } | null>(null);
  const dialog = at !== null && (
    <Suspense fallback={null}>
      <Dialog
        at={at.time}
        until={at.until}
        sources={sources}
        close={() => setAt(null)}
        onAdded={(stream) => sources.includes(stream) || toast(`Added to the annotations of ${stream}.`)}
      />
    </Suspense>
  );
  return { take: canEdit ? { onAnnotate: (time, until) => setAt({ time, until }) } : {}, dialog };
}
