import { Link } from "@tanstack/react-router";
import type { ComponentProps, CSSProperties, ReactNode, Ref } from "react";
import classes from "./Button.module.css";

type Look = {
  variant?: "filled" | "default" | "subtle" | undefined;
  color?: "tide" | "ember" | undefined;
  size?: "lg" | "sm" | "xs" | undefined;
  fullWidth?: boolean | undefined;
  leftSection?: ReactNode;
};

/** What a button looks like, for whatever it is. */
const look = ({ variant = "filled", color = "tide", size = "sm", fullWidth = false }: Look, className?: string) => ({
  className: `${classes.button} ${className ?? ""}`,
  "data-variant": variant,
  "data-color": color,
  "data-size": size,
  "data-full": fullWidth || undefined,
});

const Inside = ({ leftSection, children }: Pick<Look, "leftSection"> & { children: ReactNode }) => (
  <>
    {leftSection && <span className={classes.icon}>{leftSection}</span>}
    {children}
  </>
);

type Props = Look & { loading?: boolean; ref?: Ref<HTMLButtonElement | null> } & Omit<
    ComponentProps<"button">,
    "color" | "ref"
  >;

export function Button(props: Props) {
  const {
    variant,
    color,
    size,
    fullWidth,
    leftSection,
    loading = false,
    disabled,
    className,
    children,
    ...rest
  } = props;
  return (
    <button
      type="button"
      {...look(props, className)}
      disabled={disabled || loading}
      aria-busy={loading || undefined}
      {...rest}
    >
      <Inside leftSection={leftSection}>{children}</Inside>
    </button>
  );
}

type LinkProps = Look & { to: string; style?: CSSProperties; children: ReactNode };

/** A link to a page of ours that looks like a button. */
export function LinkButton({ to, style, ...props }: LinkProps) {
  return (
    <Link to={to as "/"} style={style} {...look(props)}>
      <Inside leftSection={props.leftSection}>{props.children}</Inside>
    </Link>
  );
}

/** A link to elsewhere, or to a file, that looks like a button. */
export function AnchorButton(props: Look & Omit<ComponentProps<"a">, "color">) {
  const { variant, color, size, fullWidth, leftSection, className, children, ...rest } = props;
  return (
    <a {...look(props, className)} {...rest}>
      <Inside leftSection={leftSection}>{children}</Inside>
    </a>
  );
}
