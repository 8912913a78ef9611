import { IconSearch, IconX } from "@tabler/icons-react";
import { type ComponentProps, type ReactNode, type Ref, useEffect, useState } from "react";
import { ago, exact } from "../lib/format";
import classes from "./parts.module.css";

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
      {children}
      {onRemove && (
        <button type="button" aria-label={removeLabel ?? "Remove"} onClick={onRemove}>
          <IconX size={12} stroke={1.8} />
        </button>
      )}
    </span>
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

export function Panel({ children, className, ...rest }: ComponentProps<"section">) {
  return (
    <section className={`${classes.panel} ${className ?? ""}`} {...rest}>
      {children}
    </section>
  );
}

export const Kbd = ({ children }: { children: ReactNode }) => <kbd className={classes.kbd}>{children}</kbd>;

/** "12 s ago", ticking; the exact time is its tooltip. */
export function RelativeTime({ at, never = "never" }: { at: number | null | undefined; never?: string }) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!at) return;
    const young = Date.now() / 1000 - at < 3600;
    const timer = window.setInterval(() => tick((n) => n + 1), young ? 1_000 : 60_000);
    return () => window.clearInterval(timer);
  }, [at]);
  if (!at) return <span>{never}</span>;
  return (
    <time dateTime={new Date(at * 1000).toISOString()} data-tip={exact(at)} className="num">
      {ago(at)}
    </time>
  );
}

/** Nothing here yet, and what to do about it. */
export function EmptyState({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <p className={classes.emptyTitle}>{title}</p>
      {children && <div className="t2">{children}</div>}
      {actions && <div className={classes.emptyActions}>{actions}</div>}
    </div>
  );
}

/** Something could not be loaded: why, and once more. */
export function ErrorCard({
  error,
  retry,
  what = "this page",
}: {
  error: unknown;
  retry?: (() => void) | undefined;
  what?: string;
}) {
  const reason = error instanceof Error ? error.message : String(error);
  return (
    <div className={classes.error} role="alert">
      <span>{`Could not load ${what}: ${reason}`}</span>
      {retry && (
        <button type="button" className={classes.link} onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** What is wrong with a request as a whole, above its actions. */
export function FormError({ error, fields = [] }: { error: unknown; fields?: string[] }) {
  if (!error) return null;
  const named =
    typeof error === "object" && "fields" in error ? (error as { fields: Record<string, string[]> }).fields : {};
  const elsewhere = Object.entries(named).filter(([f]) => !fields.includes(f));
  const message = error instanceof Error ? error.message : String(error);
  if (Object.keys(named).length > 0 && elsewhere.length === 0) return null;
  return (
    <div className={classes.error} role="alert">
      {Object.keys(named).length > 0 ? elsewhere.map(([f, said]) => `${f} ${said.join(", ")}`).join("; ") : message}
    </div>
  );
}

/** The problem of one field, in the server's words, for an input's error. */
export function fieldError(error: unknown, field: string): string | undefined {
  const said =
    error && typeof error === "object" && "fields" in error
      ? (error as { fields: Record<string, string[]> }).fields[field]
      : undefined;
  if (!said?.[0]) return undefined;
  return said[0].charAt(0).toUpperCase() + said[0].slice(1);
}

/** Grey bars of the final size. They show themselves after a moment only. */
export function Skeleton({
  height,
  width = "100%",
  radius = 6,
}: {
  height: number | string;
  width?: number | string;
  radius?: number;
}) {
  return <div className={classes.skeleton} style={{ height, width, borderRadius: radius }} aria-hidden />;
}

export function SkeletonRows({ rows = 6, height = 48 }: { rows?: number; height?: number }) {
  return (
    <Panel aria-busy>
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} className={classes.skeletonRow} style={{ height }}>
          <Skeleton height={12} width={`${[34, 26, 41, 30, 22][i % 5]}%`} />
          <Skeleton height={12} width="12%" />
        </div>
      ))}
    </Panel>
  );
}

type SearchProps = {
  value: string;
  onChange: (v: string) => void;
  placeholder: string;
  mono?: boolean;
  label?: string;
  ref?: Ref<HTMLInputElement>;
  keyHint?: string;
  autoFocus?: boolean;
  onKeyDown?: ComponentProps<"input">["onKeyDown"];
};

/** A field to look for something. "/" focuses the one that has data-page-search. */
export function SearchField({
  value,
  onChange,
  placeholder,
  mono,
  label,
  ref,
  keyHint,
  autoFocus,
  onKeyDown,
}: SearchProps) {
  return (
    <label className={classes.search}>
      <IconSearch size={15} stroke={1.6} aria-hidden />
      <input
        ref={ref}
        type="search"
        data-page-search
        className={mono ? "mono" : ""}
        aria-label={label ?? placeholder}
        placeholder={placeholder}
        value={value}
        spellCheck={false}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: only where searching is what the view is for
        autoFocus={autoFocus}
        onChange={(e) => onChange(e.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {value ? (
        <button type="button" aria-label="Clear" onClick={() => onChange("")}>
          <IconX size={14} stroke={1.6} />
        </button>
      ) : (
        keyHint && <Kbd>{keyHint}</Kbd>
      )}
    </label>
  );
}

/** The dot that breathes while updates arrive. */
export const LiveDot = ({ state }: { state: "live" | "paused" | "late" }) => (
  <span className={classes.dot} data-state={state} aria-hidden />
);
