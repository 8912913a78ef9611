import { IconDots, IconPlus, IconShare2 } from "@tabler/icons-react";
import { Button } from "../../components/Button";
import { IconButton } from "../../components/controls";
import { Menu } from "../../components/Menu";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import { TimePicker } from "../../time/TimePicker";
import classes from "./Space.module.css";
import { type SpaceToolsProps, spaceMenu } from "./spaceMenu";

/** Time, sharing, one more chart, and the menu of the space. */
export function SpaceTools(props: SpaceToolsProps) {
  const { setDialog, links } = props;
  const { canEdit } = useSession();
  const phone = usePhone();
  return (
    <>
      {!phone && <TimePicker />}
      {canEdit && props.editing && (
        <Button variant="default" onClick={() => props.setEditing(false)}>
          Done with the layout
        </Button>
      )}
      {canEdit && !props.editing && (
        <span className={classes.wide}>
          <Button
            variant="default"
            leftSection={<IconShare2 size={15} stroke={1.6} />}
            onClick={() => setDialog({ kind: "share" })}
          >
            Share
          </Button>
          <Button variant="default" leftSection={<IconPlus size={15} stroke={1.6} />} onClick={links.addChart}>
            Add chart
          </Button>
        </span>
      )}
      <Menu
        label="More for this space"
        items={spaceMenu(props, canEdit)}
        target={(p) => (
          <IconButton label="More" {...p}>
            <IconDots size={17} stroke={1.8} />
          </IconButton>
        )}
      />
    </>
  );
}
