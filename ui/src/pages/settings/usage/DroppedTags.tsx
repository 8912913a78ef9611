import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { org } from "../../../api/org";
import { useChange } from "../../../api/resource";
import type { TagDrop } from "../../../api/ui.gen";
import { Button } from "../../../components/Button";
import { useConfirm } from "../../../components/confirm";
import { Panel } from "../../../components/Panel";
import { ErrorCard } from "../../../components/problems";
import { day } from "../../../lib/format";
import { useSession } from "../../../shell/useSession";
import { toast } from "../../../toasts/toast";
import { DropTag } from "./DropTag";
import classes from "./DropTag.module.css";

/** The tags that are not recorded, and the way to drop one more. */
export function DroppedTags() {
  const { canManage } = useSession();
  const { data, error, refetch } = useQuery(org.tagDrops);
  const [open, setOpen] = useState(false);
  if (error) return <ErrorCard error={error} retry={refetch} what="the dropped tags" />;
  if (!data || (data.length === 0 && !canManage)) return null;
  return (
    <Panel className={classes.list ?? ""} aria-label="Dropped tags">
      <div className={classes.head}>
        <h3>Dropped tags</h3>
        {canManage && (
          <Button variant="default" size="xs" onClick={() => setOpen(true)}>
            Drop a tag…
          </Button>
        )}
      </div>
      {data.length === 0 ? (
        <p className="t2">None. A tag with very many values, such as a session, makes a stream of each.</p>
      ) : (
        <ul>
          {data.map((d) => (
            <Row key={d.id} drop={d} canManage={canManage} />
          ))}
        </ul>
      )}
      {open && <DropTag metric="" tag="" close={() => setOpen(false)} />}
    </Panel>
  );
}

function Row({ drop: d, canManage }: { drop: TagDrop; canManage: boolean }) {
  const keep = useChange(["tag_drops"], org.keepTag);
  const confirm = useConfirm();
  const ask = () =>
    confirm({
      title: `Record ${d.tag} of ${d.metric} again?`,
      text: "From now on each of its values is a stream again. What came meanwhile stays without it.",
      action: "Record it again",
      act: async () => {
        await keep.mutateAsync(d.id);
        toast(`${d.tag} of ${d.metric} is recorded again.`);
      },
    });
  return (
    <li>
      <span>
        <span className="mono">{d.tag}</span> of <span className="mono">{d.metric}</span>
        <small className="t3">{` since ${day(d.created_at)}, by ${d.created_by.replace(/^user:/, "")}`}</small>
      </span>
      {canManage && (
        <Button variant="subtle" size="xs" onClick={ask}>
          Record it again…
        </Button>
      )}
    </li>
  );
}
