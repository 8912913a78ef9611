import { IconDots, IconPencil } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { objectives } from "../../api/objectives";
import type { ObjectiveDetail } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { useConfirm } from "../../components/confirm";
import { IconButton } from "../../components/controls";
import { Menu } from "../../components/Menu";
import { Page } from "../../components/Page";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import { SkeletonRows } from "../../components/Skeleton";
import { share } from "../../lib/objectives";
import { useShortcuts } from "../../shell/shortcuts";
import { useSession } from "../../shell/useSession";
import { BudgetLine } from "./BudgetLine";
import { Burn } from "./Burn";
import { Days } from "./Days";
import { Numbers } from "./Numbers";
import { ObjectiveForm } from "./ObjectiveForm";
import classes from "./Objectives.module.css";
import { StateChip } from "./StateChip";

const parent = { to: "/objectives", label: "Objectives" };

/** One objective: what was achieved, what is left, how fast it burns. */
export function ObjectivePage() {
  const id = Number(useParams({ from: "/shell/objectives/$id" }).id);
  const { canEdit } = useSession();
  const { data, error, refetch } = useQuery(objectives.detail(id));
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
      tools={canEdit && <Tools detail={data} edit={() => setEditing(true)} />}
    >
      <div className={classes.page}>
        <Sentence detail={data} />
        <Numbers status={data.status} />
        <div className={classes.columns}>
          <BudgetLine status={data.status} />
          <Burn detail={data} />
        </div>
        <Days detail={data} />
      </div>
      {editing && <ObjectiveForm objective={data.objective} close={() => setEditing(false)} />}
    </Page>
  );
}

function Sentence({ detail: { objective: o, status } }: { detail: ObjectiveDetail }) {
  return (
    <Panel className={classes.sentence ?? ""}>
      <StateChip state={status.state} />
      <p>
        <b>{share(o.target)}</b> of <span className="mono">{o.total_metric}</span> are to be{" "}
        <span className="mono">{o.good_metric}</span>, over <b>{`${o.days} days`}</b>
      </p>
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
