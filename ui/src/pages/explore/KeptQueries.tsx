import { IconTrash } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { savedQueries } from "../../api/explore";
import type { SavedQuery } from "../../api/ui.gen";
import { useConfirm } from "../../components/confirm";
import { IconButton } from "../../components/controls";
import menu from "../../components/Menu.module.css";
import { ago } from "../../lib/format";
import { parseSearch, stringifySearch } from "../../lib/search";
import { useSession } from "../../shell/useSession";
import { toast } from "../../toasts/toast";
import classes from "./Explore.module.css";
import { pastQueries, titleOf } from "./history";
import type { Queries } from "./useQueries";

const SaveQuery = lazy(() => import("./SaveQuery"));
const nameOf = (owner: string) => owner.replace(/^\w+:/, "");

/** Queries that the organization keeps, and those that this person asked of late. */
export default function KeptQueries({ all, close }: { all: Queries; close: () => void }) {
  const { canEdit, user } = useSession();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data } = useQuery(savedQueries.list());
  const confirm = useConfirm();
  const [saving, setSaving] = useState(false);
  const open = (search: string) => {
    close();
    void navigate({ to: "/explore", search: parseSearch(search) } as never);
  };
  const remove = async (q: SavedQuery) => {
    if (!(await confirm({ title: `Delete ${q.name}?`, text: "Nobody will find it here any more.", action: "Delete" })))
      return;
    try {
      await savedQueries.remove(q.id);
      await client.invalidateQueries({ queryKey: savedQueries.list().queryKey });
    } catch (err) {
      toast(err instanceof Error ? err.message : String(err), { tone: "error" });
    }
  };
  const past = pastQueries(user.email);
  if (saving)
    return (
      <Suspense fallback={null}>
        <SaveQuery title={titleOf(all.queries)} search={stringifySearch(all.search).slice(1)} close={close} />
      </Suspense>
    );
  return (
    <div className={classes.kept}>
      {canEdit && (
        <button
          type="button"
          className={menu.item}
          disabled={titleOf(all.queries) === ""}
          onClick={() => setSaving(true)}
        >
          Save this query…
        </button>
      )}
      <h3>Saved</h3>
      {data?.length === 0 && <p className="t3">None yet. Saved ones are there for everyone.</p>}
      <ul>
        {data?.map((q) => (
          <li key={q.id}>
            <button type="button" className={menu.item} onClick={() => open(q.search)}>
              <span className="cut">{q.name}</span>
              <span className="t3 cut">{nameOf(q.created_by)}</span>
            </button>
            {canEdit && (
              <IconButton label={`Delete ${q.name}`} onClick={() => void remove(q)}>
                <IconTrash size={15} stroke={1.6} />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      <h3>Lately</h3>
      {past.length === 0 && <p className="t3">What you ask for is remembered in this browser.</p>}
      <ul>
        {past.map((p) => (
          <li key={p.search}>
            <button type="button" className={menu.item} onClick={() => open(p.search)}>
              <span className="cut mono">{p.title}</span>
              <span className="t3">{ago(p.at)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
