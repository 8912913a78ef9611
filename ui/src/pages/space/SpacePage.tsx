import { useParams } from "@tanstack/react-router";
import { TimeProvider } from "../../time/TimeContext";
import { SpaceView } from "./SpaceView";

export function SpacePage() {
  const { id } = useParams({ from: "/shell/spaces/$id" });
  return (
    <TimeProvider key={id}>
      <SpaceView id={Number(id)} />
    </TimeProvider>
  );
}
