import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { objectives } from "../../api/objectives";
import type { ObjectiveSummary } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { IconButton } from "../../components/controls";
import { EmptyState } from "../../components/EmptyState";
import { Page } from "../../components/Page";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import { SkeletonRows } from "../../components/Skeleton";
import { TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { number } from "../../lib/format";
import { share } from "../../lib/objectives";
import { useShortcuts } from "../../shell/shortcuts";
import { usePhone } from "../../shell/usePhone";
import { useRows } from "../../shell/useRows";
import { useSession } from "../../shell/useSession";
import { ObjectiveForm } from "./ObjectiveForm";
import classes from "./Objectives.module.css";
import { StateChip } from "./StateChip";

/** What customers should notice, and how much of the error budget is left. */
export function ObjectivesPage() {
  const { canEdit } = useSession();
  const phone = usePhone();
  const { data, error, refetch } = useQuery(objectives.all);
  const [adding, setAdding] = useState(false);
  const create = () => setAdding(true);
  useShortcuts(canEdit ? [{ keys: "c", label: "New objective", run: create }] : []);
  const add = phone ? (
    <IconButton label="New objective" onClick={create}>
      <IconPlus size={21} stroke={1.6} />
    </IconButton>
  ) : (
    <Button leftSection={<IconPlus size={15} stroke={1.8} />} onClick={create}>
      New objective
    </Button>
  );
  return (
    <Page title="Objectives" viewOnly={!canEdit} tools={canEdit && add}>
      {error && !data ? <ErrorCard error={error} retry={() => void refetch()} what="the objectives" /> : null}
      {!data && !error && <SkeletonRows rows={5} height={54} />}
      {data?.objectives.length === 0 && (
        <EmptyState
          title="No objectives yet."
          actions={canEdit && !phone && <Button onClick={create}>Make the first one</Button>}
        >
          Start from what customers notice: answers, speed, orders.
        </EmptyState>
      )}
      {data && data.objectives.length > 0 && <List rows={data.objectives} />}
      {adding && <ObjectiveForm close={() => setAdding(false)} />}
    </Page>
  );
}

const columns = [
  { label: "Objective" },
  { label: "State", width: "120px" },
  { label: "Target", wide: true, right: true, width: "150px" },
  { label: "Achieved", wide: true, right: true, width: "120px" },
  { label: "Budget left", wide: true, right: true, width: "120px" },
];

const budgetLeft = (o: ObjectiveSummary) => (o.left === null ? "–" : share(Math.max(0, Math.round(o.left))));

/** "good of all", "latency up to 300", and the value that does worst. */
const sourceWords = (o: ObjectiveSummary) =>
  [
    o.below === null ? `${o.good_metric} of ${o.total_metric}` : `${o.total_metric} up to ${number(o.below)}`,
    o.value && `worst: ${o.group_by}=${o.value}`,
  ]
    .filter(Boolean)
    .join(", ");

function List({ rows }: { rows: ObjectiveSummary[] }) {
  useRows();
  return (
    <Panel>
      <table className={table.table}>
        <TableHead columns={columns} quiet />
        <tbody>
          {rows.map((o) => (
            <tr key={o.id}>
              <td className={classes.first}>
                <Link to="/objectives/$id" params={{ id: String(o.id) }} className={table.name} data-row>
                  {o.name}
                </Link>
                <div className={`mono cut ${classes.second}`}>{sourceWords(o)}</div>
              </td>
              <td>
                <StateChip state={o.state} />
                <div className={`num ${classes.second} ${table.only}`}>{`${budgetLeft(o)} left`}</div>
              </td>
              <td className={`t2 num ${table.right} ${table.hide}`}>{`${share(o.target)}, ${o.days} days`}</td>
              <td className={`num ${table.right} ${table.hide}`}>{o.achieved === null ? "–" : share(o.achieved)}</td>
              <td className={`num ${table.right} ${table.hide}`}>{budgetLeft(o)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
