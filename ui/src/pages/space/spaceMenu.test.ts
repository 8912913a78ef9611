import { expect, test } from "vitest";
import { type SpaceToolsProps, spaceMenu } from "./spaceMenu";

const nothing = () => undefined;
const props: SpaceToolsProps = {
  id: 1,
  name: "Checkout",
  editing: false,
  setEditing: nothing,
  setDialog: nothing,
  links: { wall: nothing, addChart: nothing, history: nothing },
  pin: { pinned: false, toggle: nothing },
  saveTags: nothing,
};
const groups = (canEdit: boolean) =>
  spaceMenu(props, canEdit)
    .map((i) => (i === "line" ? "|" : i.label))
    .join(", ")
    .split(", |, ");

test("what belongs together stands together", () => {
  expect(groups(true)).toEqual([
    "Add chart, Edit layout, Add section…, Save as default, Share…, Send pictures…",
    "Wall display, Pin to the sidebar, History",
    "Print, Export JSON, Import JSON…",
    "Rename…, Tags and owner…, Duplicate…, Delete…",
  ]);
  expect(groups(false)).toEqual(["Wall display, Pin to the sidebar, History", "Print, Export JSON"]);
});
