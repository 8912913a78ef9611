import { IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { checks } from "../../api/checks";
import type { Check } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { useConfirm } from "../../components/confirm";
import { EmptyState } from "../../components/EmptyState";
import { Switch } from "../../components/fields";
import { Page } from "../../components/Page";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import { RelativeTime } from "../../components/RelativeTime";
import { SkeletonRows } from "../../components/Skeleton";
import { TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { kinds, stateOf } from "../../lib/checks";
import { duration, took } from "../../lib/format";
import { useSession } from "../../shell/useSession";
import { toast } from "../../toasts/toasts";
import classes from "./Checks.module.css";

const NewCheck = lazy(() => import("./NewCheck"));

/** What is watched from outside, and who has to call. */
export function ChecksPage() {
  const { canEdit } = useSession();
  const { data, error, refetch } = useQuery(checks.all);
  const [adding, setAdding] = useState<string>();
  return (
    <Page
      title="Checks"
      viewOnly={!canEdit}
      tools={
        canEdit && (
          <Button leftSection={<IconPlus size={15} stroke={1.8} />} onClick={() => setAdding("http")}>
            New check
          </Button>
        )
      }
    >
      {error && !data ? <ErrorCard error={error} retry={() => void refetch()} what="the checks" /> : null}
      {!data && !error && <SkeletonRows rows={5} height={54} />}
      {data?.checks.length === 0 && (
        <EmptyState
          title="Nothing is watched from outside yet."
          actions={
            canEdit && (
              <>
                <Button onClick={() => setAdding("http")}>Watch a web address</Button>
                <Button variant="default" onClick={() => setAdding("heartbeat")}>
                  Expect a heartbeat
                </Button>
              </>
            )
          }
        />
      )}
      {data && data.checks.length > 0 && <List rows={data.checks} />}
      <Suspense fallback={null}>{adding && <NewCheck kind={adding} close={() => setAdding(undefined)} />}</Suspense>
    </Page>
  );
}

const columns = [
  { label: "Check" },
  { label: "State", width: "110px" },
  { label: "Found", wide: true },
  { label: "Answer", wide: true, right: true, width: "100px" },
  { label: "Last", right: true, width: "130px" },
  { label: "Active", silent: true, width: "140px" },
];

function List({ rows }: { rows: Check[] }) {
  return (
    <Panel>
      <table className={table.table}>
        <TableHead columns={columns} quiet />
        <tbody>
          {rows.map((c) => (
            <Row key={c.id} check={c} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Row({ check: c }: { check: Check }) {
  const { canEdit } = useSession();
  const act = useActions(c);
  const state = stateOf(c);
  const kind = kinds.find((k) => k.value === c.kind)?.label ?? c.kind;
  return (
    <tr>
      <td>
        {c.alert ? (
          <Link to="/alerts/$id" params={{ id: String(c.alert) }} className={table.name}>
            {c.name}
          </Link>
        ) : (
          <b>{c.name}</b>
        )}
        <div className={classes.second}>
          {c.kind === "heartbeat"
            ? `a call every ${duration(c.every)}, ${duration(c.grace)} grace`
            : `${kind}: ${c.target}`}
        </div>
      </td>
      <td>
        <span className={classes.state} data-state={state}>
          {state}
        </span>
      </td>
      <td className={`t2 ${table.hide}`}>{c.said}</td>
      <td className={`t2 num ${table.right} ${table.hide}`}>{c.duration > 0 ? took(c.duration * 1000) : "–"}</td>
      <td className={`t2 ${table.right}`}>
        <RelativeTime at={c.ran_at} />
      </td>
      <td className={table.right}>
        {canEdit && (
          <span className={classes.tools}>
            <Switch label={`${c.name} is active`} hidden small checked={c.active} onChange={act.setActive} />
            <button type="button" className={classes.remove} onClick={act.remove} aria-label={`Delete ${c.name}`}>
              Delete…
            </button>
          </span>
        )}
      </td>
    </tr>
  );
}

function useActions(c: Check) {
  const client = useQueryClient();
  const confirm = useConfirm();
  const refresh = () => client.invalidateQueries({ queryKey: ["checks"] });
  return {
    setActive: (active: boolean) =>
      void checks.update(c.id, { active }).then(refresh, (err: Error) => toast(err.message, { tone: "error" })),
    remove: () =>
      void confirm({
        title: `Delete ${c.name}?`,
        text: "Its alert goes too. What it measured stays.",
        action: "Delete check",
        danger: true,
        act: async () => {
          await checks.remove(c.id);
          await refresh();
        },
      }),
  };
}
