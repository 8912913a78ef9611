import type { ComponentProps } from "react";
import classes from "./Panel.module.css";

export function Panel({ children, className, ...rest }: ComponentProps<"section">) {
  return (
    <section className={`${classes.panel} ${className ?? ""}`} {...rest}>
      {children}
    </section>
  );
}
