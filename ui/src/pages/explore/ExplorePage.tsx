import { TimeProvider } from "../../time/TimeContext";
import { Explore } from "./Explore";

/** An ad-hoc question; its address is the question. */
export function ExplorePage() {
  return (
    <TimeProvider>
      <Explore />
    </TimeProvider>
  );
}
