import { useLayoutEffect, useRef, useState } from "react";
import { Button } from "../components/Button";
import classes from "./Tour.module.css";
import { steps } from "./tourSteps";
import { showTour } from "./useTour";

/** What of the page a step is about: of the sidebar, or of the bar on a phone. */
const targetOf = (at: string) =>
  [...document.querySelectorAll<HTMLElement>(`[data-tour="${at}"]`)].find((el) => el.checkVisibility());

/** One step beside what it is about; the page stays usable meanwhile. */
export default function Tour({ step }: { step: number }) {
  const s = steps[step];
  const card = useRef<HTMLElement>(null);
  const [place, setPlace] = useState<{ left: number; top: number }>();
  const at = s?.at ?? "";
  useLayoutEffect(() => {
    const target = targetOf(at);
    const lay = () => setPlace(beside(target, card.current));
    lay();
    target?.setAttribute("data-toured", "");
    card.current?.querySelector<HTMLElement>("[data-next]")?.focus({ preventScroll: true });
    window.addEventListener("resize", lay);
    return () => {
      target?.removeAttribute("data-toured");
      window.removeEventListener("resize", lay);
    };
  }, [at]);
  if (!s) return null;
  const last = step === steps.length - 1;
  return (
    <section
      ref={card}
      className={classes.card}
      style={place}
      aria-label="Tour"
      onKeyDown={(e) => {
        if (e.key !== "Escape") return;
        e.stopPropagation();
        showTour(undefined);
      }}
    >
      <div aria-live="polite">
        <p className={classes.count}>{`${step + 1} of ${steps.length}`}</p>
        <h2>{s.title}</h2>
        <p className="t2">{s.text}</p>
      </div>
      <div className={classes.buttons}>
        <Button data-next size="xs" onClick={() => showTour(last ? undefined : step + 1)}>
          {last ? "Done" : "Next"}
        </Button>
        {step > 0 && (
          <Button variant="default" size="xs" onClick={() => showTour(step - 1)}>
            Back
          </Button>
        )}
        {!last && (
          <Button variant="subtle" size="xs" onClick={() => showTour(undefined)}>
            Skip the tour
          </Button>
        )}
      </div>
    </section>
  );
}

const gap = 14;
const margin = 12;

/** Right of it, or above it where it is at the lower edge; in the middle where there is nothing to point at. */
function beside(target: HTMLElement | undefined, card: HTMLElement | null): { left: number; top: number } {
  const [w, h] = [card?.offsetWidth ?? 0, card?.offsetHeight ?? 0];
  const within = (v: number, most: number) => Math.max(margin, Math.min(v, most - margin));
  if (!target)
    return { left: within((innerWidth - w) / 2, innerWidth - w), top: within((innerHeight - h) / 2, innerHeight - h) };
  const r = target.getBoundingClientRect();
  const fits = r.right + gap + w + margin < innerWidth;
  return {
    left: within(fits ? r.right + gap : r.left + r.width / 2 - w / 2, innerWidth - w),
    top: within(fits ? r.top - 8 : r.top - gap - h, innerHeight - h),
  };
}
