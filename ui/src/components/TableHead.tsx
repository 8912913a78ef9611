import type { ReactNode } from "react";
import { SortHeader } from "./SortHeader";
import classes from "./table.module.css";

/** One column: its title, and how it behaves. */
export type Column = {
  label: string;
  /** Only heard, not seen: "Actions". */
  silent?: boolean;
  /** Not on a phone. */
  wide?: boolean;
  right?: boolean;
  width?: string;
  /** What the table is sorted by when the title is pressed; needs sort and onSort. */
  by?: string;
  className?: string | undefined;
  /** What stands in the head instead of the title. */
  head?: ReactNode;
};

type Props = {
  columns: Column[];
  /** What the table is sorted by; with a minus, the other way round. */
  sort?: string;
  onSort?: (sort: string) => void;
  /** Not on a phone, whose rows say everything themselves. */
  quiet?: boolean;
};

/** The head of a table: titles that sort it where it can be sorted. */
export function TableHead({ columns, sort = "", onSort, quiet = false }: Props) {
  return (
    <thead className={quiet ? classes.hide : undefined}>
      <tr>
        {columns.map((c) => {
          const look =
            [c.wide && classes.hide, c.right && classes.right, c.className].filter(Boolean).join(" ") || undefined;
          if (c.by && onSort)
            return <SortHeader key={c.label} label={c.label} by={c.by} sort={sort} onSort={onSort} className={look} />;
          return (
            <th key={c.label} className={look} style={c.width ? { width: c.width } : undefined}>
              {c.head ?? (c.silent ? <span className="sr">{c.label}</span> : c.label)}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** The last column of most tables. */
export const actions: Column = { label: "Actions", silent: true };
