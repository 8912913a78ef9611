import { IconArrowDown, IconArrowUp, IconPlus, IconX } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { flushSync } from "react-dom";
import { playlists } from "../../../api/playlists";
import { charts as chartApi, spaces } from "../../../api/spaces";
import type { SpaceSummary } from "../../../api/types";
import type { Playlist, PlaylistSpace } from "../../../api/ui.gen";
import { Button } from "../../../components/Button";
import { IconButton } from "../../../components/controls";
import { EmptyState } from "../../../components/EmptyState";
import { Missing } from "../../../components/Failed";
import { Field, Input, Select } from "../../../components/fields";
import { FilterBar } from "../../../components/filter/FilterBar";
import { Page } from "../../../components/Page";
import { Panel } from "../../../components/Panel";
import { ErrorCard, FormError, fieldError } from "../../../components/problems";
import { SkeletonRows } from "../../../components/Skeleton";
import { dynamicOf } from "../../../lib/filters";
import { editedTags, secondsProblem } from "../../../lib/playlist";
import { useSession } from "../../../shell/useSession";
import { toast } from "../../../toasts/toast";
import { rangesWith } from "../ranges";
import { metricsOf } from "../useSpaceView";
import classes from "./Playlists.module.css";

/** One playlist, or a new one, in its editor. */
export function PlaylistPage() {
  const { id } = useParams({ from: "/shell/playlists/$id" });
  const { canEdit } = useSession();
  const all = useQuery(playlists.all);
  const there = useQuery(spaces.all);
  const fresh = id === "new";
  const list = all.data?.find((p) => p.id === Number(id));
  const error = all.error ?? there.error;
  if (all.data && !fresh && !list) return <Missing />;
  return (
    <Page
      title={fresh ? "New playlist" : (list?.name ?? "Playlist")}
      parent={{ to: "/playlists", label: "Playlists" }}
      crumb
      viewOnly={!canEdit}
    >
      {error ? (
        <ErrorCard
          error={error}
          retry={() => void Promise.all([all.refetch(), there.refetch()])}
          what="this playlist"
        />
      ) : null}
      {all.data && there.data ? (
        <Editor key={id} list={list} all={there.data.spaces} canEdit={canEdit} />
      ) : (
        !error && <SkeletonRows rows={3} height={54} />
      )}
    </Page>
  );
}

/** A turn while it is edited: the key stays with it when it moves. */
type Row = { key: number; turn: PlaylistSpace };
let lastKey = 0;
const rowOf = (turn: PlaylistSpace): Row => ({ key: ++lastKey, turn });

type EditorProps = { list: Playlist | undefined; all: SpaceSummary[]; canEdit: boolean };

function Editor({ list, all, canEdit }: EditorProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState(list?.name ?? "");
  const [rows, setRows] = useState<Row[]>(() => (list?.spaces ?? []).map(rowOf));
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  const change = (key: number, patch: Partial<PlaylistSpace>) => {
    setTried(false); // nothing is said while somebody types
    setRows(rows.map((r) => (r.key === key ? { key, turn: { ...r.turn, ...patch } } : r)));
  };
  const move = (from: number, to: number) => {
    const next = [...rows];
    const [moved] = next.splice(from, 1);
    if (moved) next.splice(to, 0, moved);
    setRows(next);
  };
  const save = async () => {
    setTried(true);
    setError(undefined);
    if (rows.some((r) => secondsProblem(r.turn.seconds))) return;
    setBusy(true);
    try {
      const body = { name: name.trim(), spaces: rows.map((r) => r.turn) };
      await (list ? playlists.update(list.id, body) : playlists.create(body));
      await client.invalidateQueries({ queryKey: playlists.all.queryKey });
      toast(`${body.name} saved`);
      await navigate({ to: "/playlists" });
    } catch (err) {
      setError(err);
    }
    setBusy(false);
  };
  return (
    <form
      noValidate
      className={classes.editor}
      onSubmit={(e) => {
        e.preventDefault();
        void save();
      }}
    >
      <div className={classes.name}>
        <Field label="Name" error={fieldError(error, "name")}>
          {(id) => (
            <Input
              id={id}
              value={name}
              readOnly={!canEdit}
              placeholder="Office wall"
              onChange={(e) => setName(e.currentTarget.value)}
            />
          )}
        </Field>
      </div>
      {rows.length === 0 ? (
        <EmptyState title="No space is in it yet. Add one below." />
      ) : (
        <Panel aria-label="Spaces">
          <ol className={classes.rows}>
            {rows.map((r, i) => (
              <TurnRow
                key={r.key}
                turn={r.turn}
                at={i}
                last={rows.length - 1}
                space={all.find((s) => s.id === r.turn.space)}
                canEdit={canEdit}
                tried={tried}
                change={(patch) => change(r.key, patch)}
                move={(to) => move(i, to)}
                remove={() => setRows(rows.filter((x) => x.key !== r.key))}
              />
            ))}
          </ol>
        </Panel>
      )}
      <FormError error={error} fields={["name"]} />
      {canEdit && (
        <>
          <Add all={all} add={(space) => setRows([...rows, rowOf({ space, seconds: 30, range: "-6h" })])} />
          <div className={classes.actions}>
            <Button type="submit" loading={busy}>
              Save playlist
            </Button>
            <Button variant="default" onClick={() => void navigate({ to: "/playlists" })}>
              Cancel
            </Button>
          </div>
        </>
      )}
    </form>
  );
}

function Add({ all, add }: { all: SpaceSummary[]; add: (space: number) => void }) {
  const [space, setSpace] = useState("");
  const options = all.map((s) => ({ value: String(s.id), label: s.name ?? `Space ${s.id}` }));
  const chosen = space || options[0]?.value || "";
  return (
    <div className={classes.actions} style={{ alignItems: "end" }}>
      <Field label="Space" hint="It is shown after the others.">
        {(id) => (
          <Select id={id} options={options} value={chosen} onChange={setSpace} disabled={options.length === 0} />
        )}
      </Field>
      <Button
        variant="default"
        leftSection={<IconPlus size={15} stroke={1.8} />}
        disabled={chosen === ""}
        onClick={() => add(Number(chosen))}
      >
        Add space
      </Button>
    </div>
  );
}

type TurnProps = {
  turn: PlaylistSpace;
  at: number;
  last: number;
  space: SpaceSummary | undefined;
  canEdit: boolean;
  /** Somebody wanted to save it: what is wrong is said now. */
  tried: boolean;
  change: (patch: Partial<PlaylistSpace>) => void;
  move: (to: number) => void;
  remove: () => void;
};

function TurnRow({ turn, at, last, space, canEdit, tried, change, move, remove }: TurnProps) {
  const name = space?.name ?? `Space ${turn.space}`;
  const range = turn.range || "-6h";
  const size = { size: 16, stroke: 1.6 };
  /** What is moved keeps the focus; at an end the way back has it. */
  const shift = (arrow: HTMLButtonElement, to: number) => {
    flushSync(() => move(to));
    const next = arrow.disabled ? arrow.parentElement?.querySelector<HTMLElement>("button:enabled") : arrow;
    next?.focus();
  };
  return (
    <li className={classes.row}>
      <span className="cut">
        <b>{name}</b>
        {!space && <span className={classes.gone}> was deleted and is skipped</span>}
      </span>
      <Field label={`Seconds of ${name}`} hideLabel error={tried ? secondsProblem(turn.seconds) : undefined}>
        {(id) => (
          <span className={classes.seconds}>
            <Input
              id={id}
              type="number"
              min={5}
              max={86400}
              value={turn.seconds || ""}
              readOnly={!canEdit}
              onChange={(e) => change({ seconds: Number(e.currentTarget.value) })}
            />
            <span className="t2">s</span>
          </span>
        )}
      </Field>
      <Select
        aria-label={`Time range of ${name}`}
        options={rangesWith(range)}
        value={range}
        disabled={!canEdit}
        onChange={(to) => change({ range: to })}
      />
      {canEdit && (
        <span className={classes.move}>
          <IconButton label={`Move ${name} up`} disabled={at === 0} onClick={(e) => shift(e.currentTarget, at - 1)}>
            <IconArrowUp {...size} />
          </IconButton>
          <IconButton
            label={`Move ${name} down`}
            disabled={at === last}
            onClick={(e) => shift(e.currentTarget, at + 1)}
          >
            <IconArrowDown {...size} />
          </IconButton>
          <IconButton label={`Remove ${name}`} onClick={remove}>
            <IconX {...size} />
          </IconButton>
        </span>
      )}
      {space && <Filters turn={turn} canEdit={canEdit} change={change} />}
    </li>
  );
}

/** The filters of a turn, instead of those that the space begins with. */
function Filters({ turn, canEdit, change }: Pick<TurnProps, "turn" | "canEdit" | "change">) {
  const { data: charts = [] } = useQuery(chartApi.of(turn.space));
  const { filters, groups } = editedTags(turn.tags);
  if (!canEdit && filters.length + groups.length === 0) return null;
  return (
    <div className={classes.filters}>
      <FilterBar
        filters={filters}
        groups={groups}
        metrics={metricsOf(charts)}
        locked={!canEdit}
        onFilter={(name, values, not) => {
          const others = filters.filter((f) => f.name !== name);
          change({ tags: dynamicOf(values.length ? [...others, { name, values, not }] : others, groups) });
        }}
        onGroup={(name, on) => {
          const others = groups.filter((g) => g !== name);
          change({ tags: dynamicOf(filters, on ? [...others, name] : others) });
        }}
      />
    </div>
  );
}
