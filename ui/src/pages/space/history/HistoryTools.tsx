import { IconRestore, IconTag, IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Button } from "../../../components/Button";
import { IconButton } from "../../../components/controls";
import { Segments } from "../../../components/Segments";
import { Skeleton } from "../../../components/Skeleton";
import classes from "./SpaceHistory.module.css";
import type { View } from "./useHistoryView";
import type { SaveActions } from "./useSaveActions";

/** The space, and that this is its history. */
export function HistoryHeading({ id, name }: { id: number; name: string }) {
  return (
    <div className={classes.heading}>
      {name ? (
        <Link to="/spaces/$id" params={{ id: String(id) }} className="cut">
          {name}
        </Link>
      ) : (
        <Skeleton height={16} width={120} />
      )}
      <span aria-hidden>/</span>
      <h1>History</h1>
    </div>
  );
}

const wide: { value: View; label: string }[] = [
  { value: "side", label: "Side by side" },
  { value: "overlay", label: "Overlay" },
  { value: "text", label: "As text" },
];
const onPhone: typeof wide = [
  { value: "before", label: "Before" },
  { value: "after", label: "After" },
  { value: "text", label: "As text" },
];

type SwitchProps = { view: View; setView: (v: View) => void; phone?: boolean; narrow?: boolean };

/** How both versions are shown: in the head of the page, or above them where that has no room. */
export function ViewSwitch({ view, setView, phone = false, narrow = false }: SwitchProps) {
  const options = phone ? onPhone : wide;
  const value = options.find((o) => o.value === view)?.value ?? (phone ? "after" : "side");
  return (
    <div className={narrow ? classes.switchBelow : classes.switchAbove}>
      <Segments label="View" options={options} value={value} onChange={setView} />
    </div>
  );
}

type Props = SwitchProps & { close: () => void; save: SaveActions | undefined };

export function HistoryTools({ view, setView, close, save }: Props) {
  return (
    <>
      <ViewSwitch view={view} setView={setView} />
      {save && (
        <IconButton label="Name this save" onClick={save.name}>
          <IconTag size={17} stroke={1.6} />
        </IconButton>
      )}
      {save && (
        <Button
          leftSection={<IconRestore size={15} stroke={1.6} />}
          loading={save.busy}
          disabled={save.isLatest}
          title={save.isLatest ? "The space is as it was saved here." : undefined}
          onClick={save.restore}
        >
          <span>
            Restore<span className={classes.thisVersion}> this version</span>
          </span>
        </Button>
      )}
      <IconButton label="Close" onClick={close}>
        <IconX size={17} stroke={1.8} />
      </IconButton>
    </>
  );
}
