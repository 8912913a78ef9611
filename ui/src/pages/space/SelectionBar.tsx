import { IconX } from "@tabler/icons-react";
import type { Chart } from "../../api/types";
import { Button } from "../../components/Button";
import { IconButton } from "../../components/controls";
import { whole } from "../../lib/format";
import classes from "./SelectionBar.module.css";
import type { CardActions } from "./useCardActions";

type Props = {
  charts: Chart[];
  actions: CardActions;
  open: (kind: "copy" | "move", charts: Chart[]) => void;
  clear: () => void;
};

/** What can be done with several charts at once. */
export default function SelectionBar({ charts, actions, open, clear }: Props) {
  const then = (run: () => void) => () => {
    run();
    clear();
  };
  return (
    <div className={classes.bar} role="toolbar" aria-label="Selected charts">
      <b role="status">{`${whole(charts.length)} selected`}</b>
      <Button variant="default" size="xs" onClick={then(() => actions.duplicateAll(charts))}>
        Duplicate
      </Button>
      <Button variant="default" size="xs" onClick={() => open("copy", charts)}>
        Copy to space…
      </Button>
      <Button variant="default" size="xs" onClick={() => open("move", charts)}>
        Move to space…
      </Button>
      <Button variant="default" size="xs" color="ember" onClick={then(() => actions.removeAll(charts))}>
        Delete
      </Button>
      <IconButton label="Clear the selection" onClick={clear}>
        <IconX size={15} stroke={1.8} />
      </IconButton>
    </div>
  );
}
