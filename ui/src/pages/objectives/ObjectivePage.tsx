import { IconDots, IconPencil } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { objectives } from "../../api/objectives";
import type { ObjectiveDetail } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { useConfirm } from "../../components/confirm";
import { IconButton, Tag } from "../../components/controls";
import { Select } from "../../components/fields";
import { Labels } from "../../components/Labels";
import { Menu } from "../../components/Menu";
import { Page } from "../../components/Page";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import { SkeletonRows } from "../../components/Skeleton";
import { useUnit } from "../../components/useUnit";
import { duration } from "../../lib/format";
import { goodWords, share, tagWords } from "../../lib/objectives";
import { useShortcuts } from "../../shell/shortcuts";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import { BudgetDays } from "./BudgetDays";
import { BudgetLine } from "./BudgetLine";
import { BudgetNumbers } from "./BudgetNumbers";
import { Burn } from "./Burn";
import { ObjectiveForm } from "./ObjectiveForm";
import classes from "./Objectives.module.css";
import { StateChip } from "./StateChip";
import { TagValues } from "./TagValues";

/** What takes the server longest comes last, and by itself. */
const Spent = lazy(() => import("./Spent"));

const parent = { to: "/objectives", label: "Objectives" };

/** One objective: what was achieved, what is left, how fast it burns. */
export function ObjectivePage() {
  const id = Number(useParams({ from: "/shell/objectives/$id" }).id);
  const { canEdit } = useSession();
  const phone = usePhone();
  const [days, setDays] = useState("");
  const [value, setValue] = useState("");
  const view = { ...(days && { days }), ...(value && { value }) };
  const { data, error, refetch } = useQuery(objectives.detail(id, view));
  const [editing, setEditing] = useState(false);
  useShortcuts(canEdit ? [{ keys: "e", label: "Edit the objective", run: () => setEditing(true) }] : []);
  if (!data)
    return (
      <Page title="Objective" parent={parent} crumb>
        {error ? (
          <ErrorCard error={error} retry={() => void refetch()} what="the objective" />
        ) : (
          <SkeletonRows rows={5} height={90} />
        )}
      </Page>
    );
  return (
    <Page
      title={data.objective.name}
      parent={parent}
      crumb
      viewOnly={!canEdit}
      {...(!phone && { heading: <Heading objective={data.objective} /> })}
      tools={
        <>
          {!phone && <Window objective={data.objective} days={days} choose={setDays} />}
          {canEdit && <Tools detail={data} edit={() => setEditing(true)} />}
        </>
      }
    >
      <div className={classes.page}>
        <Sentence detail={data} days={Number(days || data.objective.days)} value={value} />
        <BudgetNumbers status={data.status} />
        <TagValues detail={data} value={value} choose={setValue} />
        <div className={classes.columns}>
          <BudgetLine status={data.status} />
          <Burn detail={data} />
        </div>
        <BudgetDays detail={data} />
        <Suspense fallback={null}>
          <Spent id={id} view={view} />
        </Suspense>
      </div>
      {editing && <ObjectiveForm objective={data.objective} close={() => setEditing(false)} />}
    </Page>
  );
}

/** The name, and beside it what the objective is found by. */
function Heading({ objective: o }: { objective: ObjectiveDetail["objective"] }) {
  return (
    <span className={classes.heading}>
      <h1 className="cut" title={o.name}>
        {o.name}
      </h1>
      <Labels labels={o.labels} most={3} />
    </span>
  );
}

/** Over which days to look at it; its own are what counts. */
function Window({
  objective: o,
  days,
  choose,
}: {
  objective: { days: number };
  days: string;
  choose: (d: string) => void;
}) {
  return (
    <Select
      aria-label="Window"
      value={days || String(o.days)}
      options={[7, 28, 30, 90].map((d) => ({ value: String(d), label: `${d} days, rolling` }))}
      onChange={(d) => choose(d === String(o.days) ? "" : d)}
    />
  );
}

type SentenceProps = { detail: ObjectiveDetail; days: number; value: string };

function Sentence({ detail: { objective: o, status, state, left_out }, days, value }: SentenceProps) {
  const unit = useUnit(o.below === null ? "" : o.total_metric);
  return (
    <Panel className={classes.sentence ?? ""}>
      <StateChip state={value ? status.state : state} />
      <p>
        <b>{share(o.target)}</b> of{" "}
        {goodWords(o, unit).map((w) =>
          w.metric ? (
            <span key={w.text} className="mono">
              {w.text}
            </span>
          ) : (
            w.text
          ),
        )}
        , over <b>{`${days} days`}</b>
        {o.group_by && !value && <>, for each {o.group_by}</>}
        {value && (
          <>
            , {o.group_by} <b>{value}</b> alone
          </>
        )}
        {o.without_maintenance && `, without maintenance${left_out > 0 ? ` (${duration(left_out)})` : ""}`}
      </p>
      {o.tags.length > 0 && (
        <span className={classes.where}>
          {o.tags.map((t) => (
            <Tag key={t.name}>{tagWords(t)}</Tag>
          ))}
        </span>
      )}
    </Panel>
  );
}

function Tools({ detail: { objective: o }, edit }: { detail: ObjectiveDetail; edit: () => void }) {
  const confirm = useConfirm();
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = () =>
    void confirm({
      title: `Delete ${o.name}?`,
      text: "Alerts on its burn rate stay. What was measured stays.",
      action: "Delete objective",
      danger: true,
      act: () => objectives.remove(o.id),
    }).then(async (yes) => {
      if (!yes) return;
      await navigate({ to: "/objectives" });
      await client.invalidateQueries({ queryKey: ["objectives"] });
    });
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={15} stroke={1.6} />} onClick={edit}>
        Edit
      </Button>
      <Menu
        label={`Actions for ${o.name}`}
        items={[{ label: "Delete…", danger: true, run: remove }]}
        target={(p) => (
          <IconButton label="More" {...p} ref={p.ref}>
            <IconDots size={17} stroke={1.6} />
          </IconButton>
        )}
      />
    </>
  );
}
