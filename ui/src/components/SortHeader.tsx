import classes from "./table.module.css";

type Props = {
  label: string;
  by: string;
  /** What the table is sorted by; with a minus, the other way round. */
  sort: string;
  onSort: (sort: string) => void;
  className?: string | undefined;
  tip?: string;
};

/** The head of a column that sorts the table. Which one does is said in words above it, not by an icon. */
export function SortHeader({ label, by, sort, onSort, className, tip }: Props) {
  const on = sort === by || sort === `-${by}`;
  return (
    <th className={className} aria-sort={on ? (sort === by ? "ascending" : "descending") : undefined}>
      <button
        type="button"
        className={classes.sort}
        data-on={on}
        data-tip={tip}
        onClick={() => onSort(sort === by ? `-${by}` : by)}
      >
        {label}
      </button>
    </th>
  );
}
