import { spaces } from "../../api/spaces";
import type { MenuItem } from "../../components/Menu";
import { printPage } from "../../lib/print";
import { modKey } from "../../shell/Sidebar";
import type { Pin } from "../../shell/usePin";
import type { DialogName } from "./SpaceView";
import type { SpaceLinks } from "./useSpaceView";

/** A space and what its tools can do. */
export type SpaceToolsProps = {
  id: number;
  name: string;
  editing: boolean;
  setEditing: (on: boolean) => void;
  setDialog: (d: DialogName) => void;
  links: SpaceLinks;
  pin: Pin;
  saveTags: () => void;
};

/** What can be done with a space as a whole. */
export function spaceMenu(p: SpaceToolsProps, canEdit: boolean): MenuItem[] {
  const look: MenuItem[] = [
    { label: "Wall display", hint: "F", run: p.links.wall },
    { label: p.pin.pinned ? "Unpin" : "Pin to the sidebar", run: p.pin.toggle },
    { label: "History", run: p.links.history },
    "line",
    { label: "Print", hint: `${modKey}P`, run: printPage },
    {
      label: "Export JSON",
      run: async () => {
        const { download, fileName } = await import("../../lib/text");
        download(fileName(p.name, "json"), JSON.stringify(await spaces.export(p.id), null, 2), "application/json");
      },
    },
  ];
  if (!canEdit) return look;
  return [
    { label: "Add chart", hint: "C", run: p.links.addChart },
    {
      label: p.editing ? "Done with the layout" : "Edit layout",
      hint: "E",
      run: () => p.setEditing(!p.editing),
    },
    { label: "Add section…", run: () => p.setDialog({ kind: "section" }) },
    { label: "Save as default", run: p.saveTags },
    { label: "Share…", run: () => p.setDialog({ kind: "share" }) },
    { label: "Send pictures…", run: () => p.setDialog({ kind: "reports" }) },
    "line",
    ...look,
    { label: "Import JSON…", run: () => p.setDialog({ kind: "import" }) },
    "line",
    { label: "Rename…", run: () => p.setDialog({ kind: "rename" }) },
    { label: "Tags and owner…", run: () => p.setDialog({ kind: "about" }) },
    { label: "Duplicate…", run: () => p.setDialog({ kind: "duplicate" }) },
    { label: "Delete…", danger: true, run: () => p.setDialog({ kind: "delete" }) },
  ];
}
