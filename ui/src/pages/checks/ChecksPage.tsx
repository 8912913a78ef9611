import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { checks } from "../../api/checks";
import type { Check, Place } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { Chip } from "../../components/controls";
import { EmptyState } from "../../components/EmptyState";
import { DrawerPage } from "../../components/overlays";
import { Page } from "../../components/Page";
import { ErrorCard } from "../../components/problems";
import { SearchField } from "../../components/SearchField";
import { SkeletonRows } from "../../components/Skeleton";
import { groups, isUnwell, stateOf } from "../../lib/checks";
import { ago, count, whole } from "../../lib/format";
import { useShortcuts } from "../../shell/shortcuts";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import { CheckList } from "./CheckList";
import classes from "./Checks.module.css";

const NewCheck = lazy(() => import("./NewCheck"));

/** What is watched from outside, and who has to call. */
export function ChecksPage() {
  const { canEdit } = useSession();
  const phone = usePhone();
  const { data, error, refetch } = useQuery(checks.all);
  const [adding, setAdding] = useState<string>();
  const create = () => setAdding("http");
  const close = () => setAdding(undefined);
  useShortcuts(canEdit ? [{ keys: "c", label: "New check", run: create }] : []);
  const form = adding && <NewCheck key={adding} kind={adding} places={data?.places ?? []} close={close} />;
  return (
    <Page
      title="Checks"
      viewOnly={!canEdit}
      tools={
        <>
          {data && !phone && <From rows={data.checks} places={data.places} />}
          {canEdit && (
            <Button variant="default" leftSection={<IconPlus size={15} stroke={1.8} />} onClick={create}>
              New check
            </Button>
          )}
        </>
      }
    >
      {error && !data ? <ErrorCard error={error} retry={() => void refetch()} what="the checks" /> : null}
      {!data && !error && <SkeletonRows rows={5} height={54} />}
      <div className={classes.columns} data-open={(form && !phone) || undefined}>
        <div>
          {data?.checks.length === 0 && (
            <EmptyState
              title="Nothing is watched from outside yet."
              actions={
                canEdit && (
                  <>
                    <Button onClick={create}>Watch a web address</Button>
                    <Button variant="default" onClick={() => setAdding("heartbeat")}>
                      Expect a heartbeat
                    </Button>
                  </>
                )
              }
            />
          )}
          {data && data.checks.length > 0 && <Filtered rows={data.checks} narrow={Boolean(form)} />}
        </div>
        {form && !phone && (
          <aside className={classes.drawer} aria-label="New check">
            <Suspense fallback={null}>{form}</Suspense>
          </aside>
        )}
      </div>
      {/* The drawer comes with the form: it puts the focus into what is there. */}
      {form && phone && (
        <DrawerPage opened onClose={close} title="New check">
          {form}
        </DrawerPage>
      )}
    </Page>
  );
}

/** From how many places, and when one last looked. */
function From({ rows, places }: { rows: Check[]; places: Place[] }) {
  const used = new Set(rows.flatMap((c) => c.results.map((r) => r.place)));
  const last = Math.max(0, ...rows.map((c) => c.ran_at));
  if (used.size === 0 && places.length === 0) return null;
  return (
    <span className={classes.from}>
      From {count(Math.max(1, used.size), "place")}
      {last > 0 && `, last ${ago(last)}`}
    </span>
  );
}

/** The list, narrowed by words, kind and whether all is well. */
function Filtered({ rows, narrow }: { rows: Check[]; narrow: boolean }) {
  const [words, setWords] = useState("");
  const [group, setGroup] = useState("");
  const now = Date.now() / 1000;
  const unwell = (c: Check) => isUnwell(stateOf(c, now));
  const found = rows.filter((c) => `${c.name} ${c.target}`.toLowerCase().includes(words.trim().toLowerCase()));
  const inGroup = (c: Check) =>
    group === "unwell" ? unwell(c) : (groups.find((g) => g.value === group)?.kinds.includes(c.kind) ?? true);
  const shown = found.filter(inGroup);
  const chip = (value: string, label: string, n: number) => (
    <Chip key={value} active={group === value} aria-pressed={group === value} onClick={() => setGroup(value)}>
      {`${label} ${whole(n)}`}
    </Chip>
  );
  return (
    <>
      <div className={classes.filters}>
        <div className={classes.search}>
          <SearchField value={words} onChange={setWords} placeholder="Name or address" keyHint="/" />
        </div>
        {groups.map((g) => chip(g.value, g.label, found.filter((c) => g.kinds.includes(c.kind)).length))}
        <span className={classes.divider} aria-hidden />
        {chip("unwell", "Not well", found.filter(unwell).length)}
      </div>
      {shown.length > 0 ? (
        <CheckList rows={shown} narrow={narrow} now={now} />
      ) : (
        <EmptyState
          title="No check is like that."
          actions={
            <Button
              variant="default"
              onClick={() => {
                setWords("");
                setGroup("");
              }}
            >
              Show all
            </Button>
          }
        />
      )}
    </>
  );
}
