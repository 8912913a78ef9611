import { demo } from "../api/demo";
import { ask } from "../components/confirm";

/** Asks, deletes the demo, and returns whether it is gone. */
export const deleteDemo = (name: string): Promise<boolean> =>
  ask({
    title: `Delete ${name}?`,
    text: `Deletes the organization ${name} with its made-up measurements, spaces, alerts and tokens. Your other organizations are not touched. You can make it again.`,
    action: "Delete demo",
    danger: true,
    act: demo.remove,
  });
