import { spaces } from "../../api/spaces";
import type { Space } from "../../api/types";
import { AnnotateDialog } from "../../dialogs/AnnotateDialog";
import { NameDialog } from "../../dialogs/FormDialog";
import { ImportDialog } from "../../dialogs/ImportDialog";
import HistoryDrawer from "../../history/HistoryDrawer";
import type { Filter } from "../../lib/filters";
import { AboutDialog } from "./AboutDialog";
import type { Place } from "./cardActions";
import { MoveDialog } from "./MoveDialog";
import { ReportsDialog } from "./reports/ReportsDialog";
import { ShareDialog } from "./ShareDialog";
import type { DialogName } from "./SpaceView";
import { Delete, Duplicate } from "./WholeSpace";

type Props = {
  dialog: DialogName;
  space: Space;
  filters: Filter[];
  sources: string[];
  replaced: Place["replaced"];
  addSection: (name: string) => void;
  close: () => void;
};

/** Everything that opens over a space. */
export default function Dialogs({ dialog, space, filters, sources, replaced, addSection, close }: Props) {
  switch (dialog.kind) {
    case "share":
      return <ShareDialog space={space} filters={filters} close={close} />;
    case "reports":
      return <ReportsDialog space={space} close={close} />;
    case "rename":
      return (
        <NameDialog
          title={`Rename “${space.name}”`}
          action="Rename space"
          initial={space.name}
          close={close}
          run={(name) => spaces.update({ id: space.id, name })}
        />
      );
    case "about":
      return <AboutDialog space={space} close={close} />;
    case "duplicate":
      return <Duplicate space={space} close={close} />;
    case "delete":
      return <Delete space={space} close={close} />;
    case "import":
      return <ImportDialog close={close} />;
    case "chartHistory":
      return <HistoryDrawer thing={{ kind: "chart", id: dialog.chart.id }} name={dialog.chart.name} close={close} />;
    case "copy":
    case "move":
      return <MoveDialog kind={dialog.kind} space={space} charts={dialog.charts} replaced={replaced} close={close} />;
    case "section":
      return (
        <NameDialog
          title="Add a section"
          action="Add section"
          initial=""
          close={close}
          run={async (name) => addSection(name)}
        />
      );
    case "annotate":
      return <AnnotateDialog at={dialog.time} until={dialog.until} sources={sources} close={close} />;
  }
}
