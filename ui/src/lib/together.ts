/**
 * Runs what is scheduled in one moment in one task. Charts whose answers came
 * together are drawn in one frame then: one by one each would wait for a frame
 * of its own, which takes longer than the drawing.
 */
export function together(): (run: () => void) => void {
  let waiting: (() => void)[] = [];
  const flush = () => {
    const now = waiting;
    waiting = [];
    for (const run of now) {
      try {
        run();
      } catch (err) {
        reportError(err); // the others run all the same
      }
    }
  };
  return (run) => {
    if (waiting.push(run) === 1) setTimeout(flush, 0);
  };
}
