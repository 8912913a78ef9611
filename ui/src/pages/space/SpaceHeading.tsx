import { IconStar } from "@tabler/icons-react";
import { IconButton } from "../../components/controls";
import { Skeleton } from "../../components/Skeleton";
import { usePhone } from "../../shell/usePhone";
import type { Pin } from "../../shell/usePin";
import classes from "./Space.module.css";

/** The name of a space, and whether it is pinned. */
export function SpaceHeading({ name, pin, rename }: { name: string; pin: Pin; rename?: () => void }) {
  const phone = usePhone();
  return (
    <>
      <h1 className="cut">
        {name && rename ? (
          <button type="button" className={`${classes.rename} cut`} data-tip="Rename" onClick={rename}>
            {name}
          </button>
        ) : (
          name || <Skeleton height={16} width={160} />
        )}
      </h1>
      {!phone && (
        <IconButton
          className={classes.star ?? ""}
          label={pin.pinned ? "Unpin" : "Pin to the sidebar"}
          active={pin.pinned}
          aria-pressed={pin.pinned}
          onClick={pin.toggle}
        >
          <IconStar size={17} stroke={1.6} />
        </IconButton>
      )}
    </>
  );
}
