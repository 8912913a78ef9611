import { IconPlayerPause, IconPlayerPlay, IconPlayerSkipBack, IconPlayerSkipForward } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { PlaylistSpace } from "../../../api/ui.gen";
import { Boundary } from "../../../components/Boundary";
import { IconButton } from "../../../components/controls";
import { EmptyState } from "../../../components/EmptyState";
import { count } from "../../../lib/format";
import { nextTurn, rangeOf } from "../../../lib/playlist";
import { useShortcuts } from "../../../shell/shortcuts";
import { TimeProvider } from "../../../time/TimeContext";
import type { Extra } from "../Wall";
import classes from "./Playlists.module.css";

export type Turn = PlaylistSpace & { gone: boolean };

/** Which turn it is: on by itself after its seconds, unless it is paused. Turns without seconds stay. */
function useTurns(turns: Turn[]) {
  const [at, setAt] = useState(0);
  const [round, setRound] = useState(0);
  const [paused, setPaused] = useState(false);
  const left = useRef(0);
  const shown = turns[at]?.gone === false ? at : nextTurn(turns, at, 1);
  const milliseconds = (turns[shown]?.seconds ?? 0) * 1000;
  const go = (by: 1 | -1) => {
    setAt(nextTurn(turns, shown, by));
    setRound((n) => n + 1);
  };
  const onward = useRef(go);
  onward.current = go;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every turn has its whole time
  useEffect(() => {
    left.current = milliseconds;
  }, [shown, round, milliseconds]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every turn has its own timer
  useEffect(() => {
    if (paused || milliseconds === 0) return;
    const began = Date.now();
    const timer = window.setTimeout(() => onward.current(1), left.current);
    return () => {
      window.clearTimeout(timer);
      left.current -= Date.now() - began;
    };
  }, [paused, shown, round, milliseconds]);
  return { shown, round, paused, go, toggle: () => setPaused((p) => !p) };
}

type Props = {
  name: string;
  turns: Turn[];
  leave?: () => void;
  show: (turn: Turn, extra: Extra) => ReactNode;
};

/** A playlist on the wall: one space after the other, past those that were deleted. */
export function Player({ name, turns, leave, show }: Props) {
  const { shown, round, paused, go, toggle } = useTurns(turns);
  const turn = turns[shown];
  const range = useMemo(() => rangeOf(turn?.range ?? ""), [turn?.range]);
  const single = turns.length === 1;
  useShortcuts([
    ...(single
      ? []
      : [
          { keys: "ArrowLeft", label: "The space before", run: () => go(-1) },
          { keys: "ArrowRight", label: "The next space", run: () => go(1) },
          { keys: " ", label: "Pause or go on", run: toggle },
        ]),
    ...(leave ? [{ keys: "Escape", label: "Leave the wall display", run: leave }] : []),
  ]);
  if (!turn) return <EmptyState heading title="There is nothing to show: the spaces of this playlist were deleted." />;
  const gone = turns.filter((t) => t.gone).length;
  const tools = !single && (
    <span className={classes.turns}>
      <Control label="The space before" run={() => go(-1)} icon={<IconPlayerSkipBack size={18} stroke={1.6} />} />
      <Control
        label={paused ? "Go on" : "Pause"}
        run={toggle}
        icon={paused ? <IconPlayerPlay size={18} stroke={1.6} /> : <IconPlayerPause size={18} stroke={1.6} />}
      />
      <Control label="The next space" run={() => go(1)} icon={<IconPlayerSkipForward size={18} stroke={1.6} />} />
      <span className="t3">{`${name}, ${shown + 1} of ${turns.length}${paused ? ", paused" : ""}`}</span>
    </span>
  );
  const note = gone > 0 && (
    <p className={classes.note} role="status">
      {`${count(gone, "space")} of this playlist ${gone === 1 ? "was deleted and is" : "were deleted and are"} skipped.`}
    </p>
  );
  return (
    <>
      {!single && (
        <div
          key={round}
          className={classes.progress}
          data-progress
          data-paused={paused}
          style={{ animationDuration: `${turn.seconds}s` }}
          aria-hidden
        />
      )}
      <TimeProvider key={`${shown} ${turn.space}`} fallback={range}>
        <Boundary round={round} fallback={<CrashedTurn tools={tools} note={note} single={single} />}>
          {show(turn, { tools, note })}
        </Boundary>
      </TimeProvider>
    </>
  );
}

/** A space that crashed, which must not end the playlist. */
function CrashedTurn({ tools, note, single }: Extra & { single: boolean }) {
  return (
    <div className={classes.crashed}>
      {tools}
      {note}
      <EmptyState heading title="This space cannot be shown.">
        {`It stopped working, which is a fault of Tidemark. ${single ? "Reload the page to try again." : "The playlist goes on."}`}
      </EmptyState>
    </div>
  );
}

/** A button whose space bar presses it, and does not pause. */
function Control({ label, run, icon }: { label: string; run: () => void; icon: ReactNode }) {
  const keep = (e: KeyboardEvent) => e.key === " " && e.stopPropagation();
  return (
    <IconButton label={label} onClick={run} onKeyDown={keep}>
      {icon}
    </IconButton>
  );
}

/** Spaces that were found to be gone since the list was read. */
export function useLost(readAt: number) {
  const [lost, setLost] = useState<ReadonlyMap<number, number>>(new Map());
  return {
    isLost: (space: number) => (lost.get(space) ?? 0) > readAt,
    lose: (space: number) => setLost((old) => new Map(old).set(space, Date.now())),
  };
}
