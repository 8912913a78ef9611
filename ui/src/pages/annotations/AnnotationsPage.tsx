import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { annotations } from "../../api/annotations";
import type { AnnotationStream, Event } from "../../api/types";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { Page } from "../../components/Page";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import { SearchField } from "../../components/SearchField";
import { SkeletonRows } from "../../components/Skeleton";
import { byDay, matches } from "../../lib/days";
import { count } from "../../lib/format";
import { useShortcuts } from "../../shell/shortcuts";
import { useSession } from "../../shell/useSession";
import { TimeProvider, useTime } from "../../time/TimeContext";
import { TimePicker } from "../../time/TimePicker";
import classes from "./Annotations.module.css";
import { EventForm } from "./EventForm";
import { EventRow } from "./EventRow";

/** What happened: streams of events left, the chosen one's events by day right. */
export function AnnotationsPage() {
  return (
    <TimeProvider fallback={week}>
      <View />
    </TimeProvider>
  );
}

const week = { from: "-7d", to: "" };

/** What the form is open for: a new event, or one there is. */
type Opened = { event?: Event } | undefined;

function View() {
  const { canEdit } = useSession();
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const time = useTime();
  const streams = useQuery(annotations.streams);
  const list = streams.data?.annotations ?? [];
  const name = useName(list);
  const [opened, setOpened] = useState<Opened>();
  useShortcuts(canEdit ? [{ keys: "c", label: "Add annotation", run: () => setOpened({}) }] : []);
  const q = search.q ?? "";
  const add = canEdit && (
    <Button leftSection={<IconPlus size={15} stroke={1.6} />} onClick={() => setOpened({})}>
      Add annotation
    </Button>
  );
  return (
    <Page
      title={name ? `Annotations: ${name}` : "Annotations"}
      heading={<h1>Annotations</h1>}
      viewOnly={!canEdit}
      tools={
        <>
          {name && <TimePicker live={false} />}
          {list.length > 0 && add}
        </>
      }
    >
      {streams.error && <ErrorCard error={streams.error} retry={streams.refetch} what="the annotations" />}
      {!streams.data && !streams.error && <SkeletonRows rows={6} height={54} />}
      {streams.data && list.length === 0 && (
        <EmptyState title="No annotations yet. Mark a deploy, an incident, a change." actions={add}>
          They appear as flags on every chart. A deploy script can post them, too.
        </EmptyState>
      )}
      {name && (
        <div className={classes.frame}>
          <Streams list={list} name={name} />
          <div className={classes.main}>
            <div className={classes.find}>
              <SearchField
                value={q}
                placeholder="Title, description or source"
                keyHint="/"
                onChange={(v) =>
                  navigate({
                    to: ".",
                    search: (old: object) => ({ ...old, q: v || undefined }),
                    replace: true,
                  } as never)
                }
              />
            </div>
            <Events key={name} stream={name} q={q} window={time.window} edit={(event) => setOpened({ event })} />
          </div>
        </div>
      )}
      {opened && (
        <EventForm
          stream={name ?? "deploys"}
          streams={list.map((s) => s.name)}
          event={opened.event}
          close={() => setOpened(undefined)}
        />
      )}
    </Page>
  );
}

/** The stream of the address, or the first one. */
function useName(list: AnnotationStream[]): string | undefined {
  const { name } = useParams({ strict: false });
  return name ?? list[0]?.name;
}

function Streams({ list, name }: { list: AnnotationStream[]; name: string }) {
  const { from, to } = useSearch({ strict: false });
  const known = list.some((s) => s.name === name) ? list : [{ name, display_name: null }, ...list];
  return (
    <nav className={classes.streams} aria-label="Streams">
      {known.map((s) => (
        <Link
          key={s.name}
          to="/annotations/$name"
          params={{ name: s.name }}
          search={{ ...(from && { from }), ...(to && { to }) }}
          data-active={s.name === name}
          aria-current={s.name === name ? "page" : undefined}
        >
          <span className={s.display_name ? "cut" : "mono cut"}>{s.display_name ?? s.name}</span>
        </Link>
      ))}
    </nav>
  );
}

type EventsProps = {
  stream: string;
  q: string;
  window: { start: number; end: number };
  edit: (e: Event) => void;
};
const grain = 300;

function Events({ stream, q, window: w, edit }: EventsProps) {
  const { event: wanted } = useSearch({ strict: false });
  const start = Math.floor(w.start / grain) * grain;
  const end = Math.ceil(w.end / grain) * grain;
  const { data, error, refetch } = useQuery(annotations.events(stream, start, end));
  if (error) return <ErrorCard error={error} retry={refetch} what="the events" />;
  if (!data) return <SkeletonRows rows={6} height={54} />;
  const shown = data.filter((e) => matches(e, q));
  if (shown.length === 0)
    return (
      <Panel>
        <EmptyState title={q ? `Nothing matches ${q}.` : "Nothing happened in this time."}>
          {q ? "Look for other words, or in a longer time." : "Choose a longer time to see earlier events."}
        </EmptyState>
      </Panel>
    );
  return (
    <>
      {byDay(shown).map((d) => (
        <section key={d.title} className={classes.day}>
          <h2>{d.title}</h2>
          <Panel className={classes.list ?? ""}>
            {d.events.map((e) => (
              <EventRow key={e.id} stream={stream} event={e} wanted={wanted === String(e.id)} edit={() => edit(e)} />
            ))}
          </Panel>
        </section>
      ))}
      <p className={classes.foot}>{count(shown.length, "event")}</p>
    </>
  );
}
