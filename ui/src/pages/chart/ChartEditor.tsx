import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { charts, spaces } from "../../api/spaces";
import type { ChartDraft } from "../../api/types";
import { Button } from "../../components/Button";
import { IconButton } from "../../components/controls";
import { Modal } from "../../components/overlays";
import { usePageTitle } from "../../components/Page";
import { FormError } from "../../components/problems";
import { modKey } from "../../shell/Sidebar";
import { useShortcuts } from "../../shell/shortcuts";
import { useSession } from "../../shell/useSession";
import { drafts, hasBadNumber, isBlank, payload, same } from "./draft";
import classes from "./Editor.module.css";
import { Preview } from "./Preview";
import { SettingsColumn } from "./SettingsColumn";
import { StreamList } from "./StreamList";
import { usePreview } from "./usePreview";

type Props = { space: number; chart?: number; saved: ChartDraft; isNew?: boolean };

/** The chart editor: the picture always in sight, streams below it, settings beside it. */
export function ChartEditor({ space, chart, saved, isNew = false }: Props) {
  const { canEdit } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: parent } = useQuery(spaces.one(space));
  const key = `${space}.${chart ?? "new"}`;
  const [draft, setDraft] = useState<ChartDraft>(() => drafts.read(key) ?? saved);
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const changed = !same(draft, saved) || (isNew && draft.streams.length > 0);
  const preview = usePreview(draft, space);
  const title = draft.name || (isNew ? "New chart" : "Untitled");
  usePageTitle(title);

  useEffect(() => {
    if (changed) drafts.write(key, draft);
    else drafts.drop(key);
  }, [draft, changed, key]);

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
  const wrong = hasBadNumber(draft);
  const save = async () => {
    if (busy || !canEdit || wrong || isBlank(draft)) return;
    setBusy(true);
    try {
      const body = payload({ ...draft, name: draft.name.trim() || defaultName(draft) });
      if (chart === undefined) await charts.create(space, body);
      else await charts.update(space, chart, body);
      drafts.drop(key);
      await client.invalidateQueries({ queryKey: ["spaces", space] });
      back();
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };
  const cancel = () => (changed ? setAsking(true) : leave());
  useShortcuts([
    { keys: "mod+s", label: "Save the chart", run: () => void save() },
    { keys: "Escape", label: "Cancel", run: cancel },
  ]);
  const unready = isBlank(draft)
    ? "Choose a metric or write a composite first."
    : preview.errors.size > 0
      ? "A stream has an error."
      : wrong
        ? "A number is missing."
        : undefined;
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
            <Button onClick={() => void save()} loading={busy} disabled={unready !== undefined} data-tip={unready}>
              Save chart
              <span className={classes.key}>{`${modKey}S`}</span>
            </Button>
          )}
        </div>
      </header>
      <div className={classes.main}>
        <div className={classes.left}>
          <FormError error={error} fields={["name", "min", "max"]} />
          <Preview draft={draft} space={space} preview={preview} />
          <StreamList streams={draft.streams} preview={preview} onChange={(streams) => patch({ streams })} />
        </div>
        <SettingsColumn draft={draft} onChange={patch} error={error} space={space} />
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

function defaultName(d: ChartDraft): string {
  const first = d.streams[0];
  return first?.name || first?.metric || "Chart";
}
