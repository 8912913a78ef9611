import { problemWords } from "../lib/problemWords";
import classes from "./problems.module.css";

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
      {Object.keys(named).length > 0
        ? elsewhere.flatMap(([f, said]) => said.map((s) => problemWords(f, s))).join(" ")
        : message}
    </div>
  );
}

/** The problem of one field, for an input's error. */
export function fieldError(error: unknown, field: string): string | undefined {
  const said =
    error && typeof error === "object" && "fields" in error
      ? (error as { fields: Record<string, string[]> }).fields[field]
      : undefined;
  return said?.[0] && problemWords(field, said[0]);
}
