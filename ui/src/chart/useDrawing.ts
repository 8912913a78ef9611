import { useEffect, useState } from "react";

type Drawing = typeof import("./LineView");
let there: Drawing | undefined;
/**
 * What draws lines is twice as large as what asks for them. It is asked for
 * once the page runs, and so comes while the server answers.
 */
const coming = import("./LineView").then((drawing) => {
  there = drawing;
});
coming.catch(() => undefined); // who needs it says so

/** What draws lines, once it is there. Unlike a lazy component it never hides a chart that could be drawn. */
export function useDrawing(): Drawing | undefined {
  const [drawing, setDrawing] = useState(there);
  useEffect(() => {
    coming.then(
      () => setDrawing(there),
      (err) =>
        setDrawing(() => {
          throw err;
        }),
    );
  }, []);
  return drawing;
}
