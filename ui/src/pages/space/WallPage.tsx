import { useNavigate, useParams } from "@tanstack/react-router";
import { useShortcuts } from "../../shell/shortcuts";
import { TimeProvider } from "../../time/TimeContext";
import { OwnWall } from "./Wall";

/** One space as a wall display. */
export function WallPage() {
  const { id } = useParams({ from: "/bare/spaces/$id/wall" });
  const navigate = useNavigate();
  useShortcuts([
    {
      keys: "Escape",
      label: "Leave the wall display",
      run: () => void navigate({ to: "/spaces/$id", params: { id }, search: (old: object) => old } as never),
    },
  ]);
  return (
    <TimeProvider>
      <OwnWall id={Number(id)} />
    </TimeProvider>
  );
}
