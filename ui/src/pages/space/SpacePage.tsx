import { useParams } from "@tanstack/react-router";
import { TimeProvider } from "../../time/TimeContext";
import { SpaceView } from "./SpaceView";
import { useOpened } from "./useOpened";

export function SpacePage() {
  const { id } = useParams({ from: "/shell/spaces/$id" });
  useOpened(Number(id));
  return (
    <TimeProvider key={id}>
      <SpaceView id={Number(id)} />
    </TimeProvider>
  );
}
