import type { ReactElement, ReactNode, RefObject } from "react";
import classes from "./Menu.module.css";
import { Pop } from "./Pop";

export type MenuItem =
  | {
      label: string;
      run: () => void;
      icon?: ReactNode;
      danger?: boolean;
      hint?: string;
      checked?: boolean;
      disabled?: string | false;
    }
  | "line";
type TargetProps = {
  ref: RefObject<HTMLButtonElement | null>;
  onClick: () => void;
  "aria-expanded": boolean;
  "aria-haspopup": "dialog" | "menu";
};
type Props = {
  label: string;
  items: MenuItem[];
  target: (p: TargetProps) => ReactElement;
  align?: "start" | "end";
  head?: ReactNode;
};

/** A menu of actions. What is disabled says why. */
export function Menu({ label, items, target, align = "end", head }: Props) {
  return (
    <Pop label={label} menu target={target} align={align}>
      {(close) => (
        <div className={classes.menu}>
          {head}
          {items.map((item, i) =>
            item === "line" ? (
              <hr key={i} className={classes.line} />
            ) : (
              <button
                key={item.label}
                type="button"
                role={item.checked === undefined ? "menuitem" : "menuitemcheckbox"}
                aria-checked={item.checked}
                className={classes.item}
                data-danger={item.danger}
                disabled={Boolean(item.disabled)}
                data-tip={item.disabled || undefined}
                onClick={() => {
                  close();
                  item.run();
                }}
              >
                {item.icon && <span className={classes.icon}>{item.icon}</span>}
                <span>{item.label}</span>
                {item.checked && <span className={classes.hint}>✓</span>}
                {item.hint && <kbd className={classes.hint}>{item.hint}</kbd>}
              </button>
            ),
          )}
        </div>
      )}
    </Pop>
  );
}
