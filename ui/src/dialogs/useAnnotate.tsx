import { lazy, type ReactNode, Suspense, useState } from "react";
import { useSession } from "../shell/useSession";
import { toast } from "../toasts/toasts";

const Dialog = lazy(() => import("./AnnotateDialog").then((m) => ({ default: m.AnnotateDialog })));

type Annotate = { take: { onAnnotate?: (time: number) => void }; dialog: ReactNode };

/**
 * Alt and a press on a chart ask what happened there. What a chart takes, and
 * the question; sources are the annotation streams that the chart shows.
 */
export function useAnnotate(sources: string[]): Annotate {
  const { canEdit } = useSession();
  const [at, setAt] = useState<number | null>(null);
  const dialog = at !== null && (
    <Suspense fallback={null}>
      <Dialog
        at={at}
        sources={sources}
        close={() => setAt(null)}
        onAdded={(stream) => sources.includes(stream) || toast(`Added to the annotations of ${stream}.`)}
      />
    </Suspense>
  );
  return { take: canEdit ? { onAnnotate: setAt } : {}, dialog };
}
