import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { saveSeen } from "../../api/history";
import { charts, spaces } from "../../api/spaces";
import type { ChartDraft, ChartKind } from "../../api/types";
import { distributionOf, hasSeries, kindOf } from "../../chart/kind";
import { Button } from "../../components/Button";
import { IconButton } from "../../components/controls";
import { Modal } from "../../components/overlays";
import { usePageTitle } from "../../components/Page";
import { FormError } from "../../components/problems";
import { useConcurrency } from "../../history/useConcurrency";
import { modKey } from "../../shell/Sidebar";
import { useShortcuts } from "../../shell/shortcuts";
import { useSession } from "../../shell/useSession";
import { drafts, payload, same, unready } from "./draft";
import classes from "./Editor.module.css";
import { Preview } from "./Preview";
import { SettingsColumn } from "./SettingsColumn";
import { StreamList } from "./StreamList";
import { TextEditor } from "./TextEditor";
import { usePreview } from "./usePreview";

const Concurrent = lazy(() => import("../../history/Concurrent"));

type Props = {
  space: number;
  chart?: number;
  saved: ChartDraft;
  isNew?: boolean;
  /** Which version of it this is, and how to begin again with what there is now. */
  version?: number;
  reload?: () => void;
};

/** The chart editor: the picture always in sight, streams below it, settings beside it. */
export function ChartEditor({ space, chart, saved, isNew = false, version = 0, reload }: Props) {
  const { canEdit } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: parent } = useQuery(spaces.one(space));
  const key = `${space}.${chart ?? "new"}`;
  const [kept] = useState(() => drafts.read(key));
  const [draft, setDraft] = useState<ChartDraft>(kept?.draft ?? saved);
  // A draft that was kept is of the version that it was begun with.
  const base = kept?.version ?? version;
  const others = useConcurrency(base);
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const changed = !same(draft, saved) || (isNew && draft.streams.length > 0);
  const preview = usePreview(draft, space);
  const title = draft.name || (isNew ? "New chart" : "Untitled");
  usePageTitle(title);

  useEffect(() => {
    if (changed) drafts.write(key, { draft, version: base });
    else drafts.drop(key);
  }, [draft, changed, key, base]);

  const patch = (p: Partial<ChartDraft>) => setDraft((d) => ({ ...d, ...p }));
  const back = () =>
    void navigate({
      to: "/spaces/$id",
      params: { id: String(space) },
      search: (old: object) => ({ ...old, metric: undefined, composite: undefined }),
    } as never);
  const leave = () => {
    drafts.drop(key);
    back();
  };
  const wrong = unready(draft);
  const takeTheirs = () => {
    drafts.drop(key);
    reload?.();
  };
  const save = async (over = base) => {
    if (busy || !canEdit || wrong) return;
    setBusy(true);
    try {
      const body = payload({ ...draft, name: draft.name.trim() || defaultName(draft) });
      if (chart === undefined) await charts.create(space, body);
      else await saveSeen(`/v1/spaces/${space}/charts/${chart}`, body, over);
      drafts.drop(key);
      await client.invalidateQueries({ queryKey: ["spaces", space] });
      back();
    } catch (err) {
      setError(others.refused(err) ? undefined : err);
      setBusy(false);
    }
  };
  const cancel = () => (changed ? setAsking(true) : leave());
  useShortcuts([
    { keys: "mod+s", label: "Save the chart", run: () => void save() },
    { keys: "Escape", label: "Cancel", run: cancel },
  ]);
  const kind = kindOf(draft);
  const why = wrong ?? (hasSeries(kind) && preview.errors.size > 0 ? "A stream has an error." : undefined);
  return (
    <div className={classes.editor}>
      <header className={classes.top}>
        <IconButton label="Back" onClick={cancel}>
          <IconArrowLeft size={18} stroke={1.6} />
        </IconButton>
        <span className={`${classes.crumb} cut`}>{parent?.name} /</span>
        <h1 className="cut">{title}</h1>
        <div className={classes.tools}>
          <span className={classes.kept}>{changed ? "Draft kept on this device" : ""}</span>
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          {canEdit && (
            <Button onClick={() => void save()} loading={busy} disabled={why !== undefined} data-tip={why}>
              Save chart
              <span className={classes.key}>{`${modKey}S`}</span>
            </Button>
          )}
        </div>
      </header>
      {chart !== undefined && canEdit && (
        <Suspense fallback={null}>
          <Concurrent
            thing={{ kind: "chart", id: chart }}
            with={others}
            takeTheirs={takeTheirs}
            saveMine={(over) => void save(over)}
          />
        </Suspense>
      )}
      <div className={classes.main}>
        <div className={classes.left}>
          <FormError error={error} fields={["name", "min", "max"]} />
          <Preview draft={draft} space={space} preview={preview} />
          {kind === "text" && (
            <TextEditor
              text={draft.attributes?.text ?? ""}
              onChange={(text) => patch({ attributes: { ...draft.attributes, text } })}
            />
          )}
          {(hasSeries(kind) || kind === "events") && (
            <StreamList
              streams={draft.streams}
              preview={preview}
              events={kind === "events"}
              distribution={distributionOf(draft) !== undefined}
              onChange={(streams) => patch({ streams })}
            />
          )}
        </div>
        <SettingsColumn draft={draft} onChange={patch} error={error} space={space} loaded={preview.loaded} />
      </div>
      <Modal
        opened={asking}
        onClose={() => setAsking(false)}
        title="Discard changes?"
        size={400}
        footer={
          <>
            <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
              Keep editing
            </Button>
            <Button color="ember" onClick={leave}>
              Discard
            </Button>
          </>
        }
      >
        <p className="t2" style={{ paddingBottom: 14 }}>{`What you changed in “${title}” is lost.`}</p>
      </Modal>
    </div>
  );
}

const names: { [K in ChartKind]?: string } = { text: "Text", alerts: "Alerts", events: "Events" };

function defaultName(d: ChartDraft): string {
  const first = d.streams[0];
  return names[kindOf(d)] || first?.name || first?.metric || "Chart";
}
