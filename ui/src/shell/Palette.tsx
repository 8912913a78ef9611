import {
  IconBell,
  IconBellRinging,
  IconChartHistogram,
  IconChartLine,
  IconKey,
  IconLayoutGrid,
  IconPlus,
  IconSearch,
  IconSettings,
  IconX,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { search } from "../api/search";
import { tokens } from "../api/tokens";
import { IconButton, Kbd } from "../components/controls";
import { Highlighted } from "../components/MetricSearch";
import { useDebounced } from "../lib/useDebounced";
import classes from "./Palette.module.css";
import { type Entry, entries, modeOf, places } from "./paletteEntries";
import { modKey } from "./Sidebar";
import { useSession } from "./useSession";

const icons = {
  alert: IconBell,
  firing: IconBellRinging,
  space: IconLayoutGrid,
  chart: IconChartHistogram,
  metric: IconChartLine,
  settings: IconSettings,
  do: IconPlus,
  token: IconKey,
};
const wait = 80;

/** Search over everything; the right side answers without opening. */
export default function Palette({ close, typed }: { close: () => void; typed: RefObject<string> }) {
  const { canEdit, canManage } = useSession();
  const navigate = useNavigate();
  const router = useRouter();
  // What was typed before this was there.
  const [text, setText] = useState(typed.current);
  const [at, setAt] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const settled = useDebounced(modeOf(text).q, wait);
  const { data } = useQuery({ ...search(settled), enabled: settled !== "" || text.startsWith("#") });
  const recent = places.read().map((p, i): Entry => ({ ...p, id: `r${i}`, group: "Last places" }));
  const secrets = useQuery({ ...tokens.list, enabled: canManage, refetchInterval: false });
  const list = text.trim() === "" ? recent : entries(text, data, { canEdit, canManage }, undefined, secrets.data);
  const current = list[Math.min(at, list.length - 1)];

  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen line stays in sight
  useEffect(() => {
    box.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);

  const open = (e: Entry, newTab: boolean) => {
    if (e.run) {
      close();
      return e.run();
    }
    places.add(e);
    const target = { to: e.to, params: e.params ?? {}, search: e.search ?? {} } as never;
    if (newTab) window.open(router.buildLocation(target).publicHref, "_blank", "noopener");
    else void navigate(target);
    close();
  };
  const key = (e: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step && list.length > 0) {
      e.preventDefault();
      setAt((at + step + list.length) % list.length);
    }
    if (e.key === "Enter" && current) {
      e.preventDefault();
      open(current, e.metaKey || e.ctrlKey);
    }
    if (e.key === "Escape" || e.key === "Tab") {
      e.preventDefault();
      e.stopPropagation();
      close();
    }
  };
  return createPortal(
    <div className={classes.veil} onPointerDown={(e) => e.target === e.currentTarget && close()}>
      <div ref={box} className={classes.palette} role="dialog" aria-modal="true" aria-label="Search" onKeyDown={key}>
        <div className={classes.field}>
          <IconSearch size={18} stroke={1.6} aria-hidden />
          <input
            // biome-ignore lint/a11y/noAutofocus: it was opened to type
            autoFocus
            role="combobox"
            aria-expanded={list.length > 0}
            aria-controls="palette-list"
            aria-activedescendant={current ? `palette-${current.id}` : undefined}
            aria-label="Search alerts, spaces, charts, metrics and settings"
            placeholder="Search"
            value={text}
            spellCheck={false}
            autoComplete="off"
            onChange={(e) => {
              setText(e.currentTarget.value);
              setAt(0);
            }}
          />
          <Kbd>Esc</Kbd>
          <IconButton label="Close" className={classes.close ?? ""} onClick={close}>
            <IconX size={18} stroke={1.6} />
          </IconButton>
        </div>
        <div className={classes.list}>
          {list.length === 0 && (
            <p className={classes.none}>
              {text.trim() === ""
                ? "Type a name: an alert, a space, a chart, a metric."
                : data
                  ? `Nothing matches ${text}.`
                  : ""}
            </p>
          )}
          {/* A list of nothing is none. */}
          {list.length > 0 && (
            <div id="palette-list" role="listbox" aria-label="Results">
              {list.map((e, i) => (
                <Line
                  key={e.id}
                  entry={e}
                  q={modeOf(text).q}
                  first={list[i - 1]?.group !== e.group}
                  selected={e === current}
                  onHover={() => setAt(i)}
                  onOpen={(tab) => open(e, tab)}
                />
              ))}
            </div>
          )}
        </div>
        <div className={classes.foot}>
          <span>
            <Kbd>↑↓</Kbd> move
          </span>
          <span>
            <Kbd>↵</Kbd> open
          </span>
          <span>
            <Kbd>{`${modKey}↵`}</Kbd> open in a new tab
          </span>
          <span className={classes.modes}>&gt; actions only</span>
          <span># metrics only</span>
        </div>
      </div>
    </div>,
    document.body,
  );
}

type LineProps = {
  entry: Entry;
  q: string;
  first: boolean;
  selected: boolean;
  onHover: () => void;
  onOpen: (newTab: boolean) => void;
};

function Line({ entry: e, q, first, selected, onHover, onOpen }: LineProps) {
  const Icon = icons[e.icon];
  return (
    <>
      {first && <p className={classes.group}>{e.group}</p>}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys */}
      <div
        id={`palette-${e.id}`}
        role="option"
        tabIndex={-1}
        aria-selected={selected}
        className={classes.line}
        onPointerMove={onHover}
        onClick={(c) => onOpen(c.metaKey || c.ctrlKey)}
      >
        <Icon size={16} stroke={1.6} color={e.tone === "red" ? "var(--tm-red)" : undefined} aria-hidden />
        <span className={e.mono ? "mono cut" : "cut"}>
          <Highlighted text={e.text} q={q} />
        </span>
        <span className={classes.fact} data-tone={e.tone}>
          {e.fact}
        </span>
      </div>
    </>
  );
}
