import type { ObjectiveDetail } from "../../api/ui.gen";
import { Panel } from "../../components/Panel";
import { TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { whole } from "../../lib/format";
import { share } from "../../lib/objectives";
import classes from "./Objectives.module.css";
import { StateChip } from "./StateChip";

type Props = { detail: ObjectiveDetail; value: string; choose: (value: string) => void };

/** The budget of each value of the tag, the worst first; pressing one shows it alone. */
export function TagValues({ detail: { values, of, objective }, value, choose }: Props) {
  if (!objective.group_by) return null;
  const columns = [
    { label: `By ${objective.group_by}` },
    { label: "State", width: "120px" },
    { label: "Bad", wide: true, right: true, width: "120px" },
    { label: "Achieved", wide: true, right: true, width: "120px" },
    { label: "Budget left", right: true, width: "120px" },
  ];
  return (
    <Panel>
      <table className={table.table}>
        <TableHead columns={columns} />
        <tbody>
          {values.map((v) => (
            <tr key={v.value} data-chosen={v.value === value || undefined}>
              <td className={classes.first}>
                <button
                  type="button"
                  className={`mono cut ${classes.value}`}
                  aria-pressed={v.value === value}
                  onClick={() => choose(v.value === value ? "" : v.value)}
                >
                  {v.value}
                </button>
              </td>
              <td>
                <StateChip state={v.state} />
              </td>
              <td className={`num ${table.right} ${table.hide}`}>{whole(v.bad)}</td>
              <td className={`num ${table.right} ${table.hide}`}>{v.achieved === null ? "–" : share(v.achieved)}</td>
              <td className={`num ${table.right}`}>{v.left === null ? "–" : share(Math.max(0, Math.round(v.left)))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {of > values.length && <p className={classes.more}>{`The worst ${values.length} of ${whole(of)}.`}</p>}
      {of === 0 && <p className={classes.more}>{`No stream has the tag ${objective.group_by}.`}</p>}
    </Panel>
  );
}
