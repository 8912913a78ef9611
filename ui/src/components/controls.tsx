import { IconX } from "@tabler/icons-react";
import type { ComponentProps, ReactNode, Ref } from "react";
import classes from "./controls.module.css";

/** An icon that acts. Its label is also its tooltip. */
export function IconButton({
  label,
  children,
  active,
  className,
  ...rest
}: { label: string; active?: boolean; ref?: Ref<HTMLButtonElement | null> } & ComponentProps<"button">) {
  return (
    <button
      type="button"
      aria-label={label}
      data-tip={label}
      data-active={active}
      className={`${classes.icon} ${className ?? ""}`}
      {...rest}
    >
      {children}
    </button>
  );
}

/** A small bordered button, as in filter rows. */
export function Chip({
  active,
  dashed,
  children,
  className,
  ...rest
}: { active?: boolean; dashed?: boolean; ref?: Ref<HTMLButtonElement | null> } & ComponentProps<"button">) {
  return (
    <button
      type="button"
      className={`${classes.chip} ${className ?? ""}`}
      data-active={active}
      data-dashed={dashed}
      {...rest}
    >
      {children}
    </button>
  );
}

/** What a machine calls something: host=web-01. */
export function Tag({
  children,
  onRemove,
  removeLabel,
}: {
  children: ReactNode;
  onRemove?: () => void;
  removeLabel?: string;
}) {
  return (
    <span className={`${classes.tag} mono`}>
      {typeof children === "string" ? (
        <span className="cut" title={children}>
          {children}
        </span>
      ) : (
        children
      )}
      {onRemove && (
        <button type="button" aria-label={removeLabel ?? "Remove"} onClick={onRemove}>
          <IconX size={12} stroke={1.8} />
        </button>
      )}
    </span>
  );
}

export const Kbd = ({ children }: { children: ReactNode }) => <kbd className={classes.kbd}>{children}</kbd>;
