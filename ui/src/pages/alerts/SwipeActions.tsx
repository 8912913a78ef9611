import classes from "./Swipe.module.css";
import type { QuickAction } from "./useQuickActions";

/** How wide one of them is, in pixels. */
export const actionWidth = 92;

type Props = { actions: QuickAction[]; isOpen: boolean; close: () => void };

/** What a swipe brings into sight. Keys and those who listen have the menu, which says the same. */
export function SwipeActions({ actions, isOpen, close }: Props) {
  if (actions.length === 0) return null;
  return (
    <span className={classes.actions} data-swiped aria-hidden={!isOpen}>
      {actions.map((a) => (
        <button
          key={a.key}
          type="button"
          tabIndex={isOpen ? 0 : -1}
          data-key={a.key}
          onClick={(e) => {
            e.stopPropagation();
            close();
            a.run();
          }}
        >
          {a.icon}
          {a.short}
        </button>
      ))}
    </span>
  );
}
