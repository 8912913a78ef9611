import { IconPlus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { AlertDraft } from "../../api/alerts";
import { services } from "../../api/services";
import type { TestResult } from "../../api/ui.gen";
import { Chip, IconButton } from "../../components/controls";
import { Select } from "../../components/fields";
import { Menu } from "../../components/Menu";
import { fieldError } from "../../components/problems";
import { took } from "../../lib/format";
import { ServiceIcon } from "../../services/ServiceIcon";
import { useSession } from "../../shell/useSession";
import classes from "./Editor.module.css";

const NewService = lazy(() => import("../../services/NewService"));

const rearms = [1, 5, 10, 15, 30, 60, 120, 360, 720, 1440].map((m) => ({
  value: String(m * 60),
  label: m < 60 ? `${m} min` : `${m / 60} h`,
}));

/** The usual times, and the one that is set if it is another. */
const rearmOptions = (now: string) =>
  rearms.some((r) => r.value === now) ? rearms : [...rearms, { value: now, label: `${Number(now) / 60} min` }];

type Props = { draft: AlertDraft; setDraft: (d: AlertDraft) => void; error: unknown; tests: TestResult[] | undefined };

/** Who is told, and how often. */
export function NotificationSettings({ draft, setDraft, error, tests }: Props) {
  const rearm = String(draft.rearm_seconds);
  const wrong = fieldError(error, "services") ?? fieldError(error, "rearm_seconds");
  return (
    <section>
      <h2>Notifies</h2>
      <Chosen ids={draft.services} set={(ids) => setDraft({ ...draft, services: ids })} tests={tests} />
      {draft.services.length === 0 && <p className={classes.amber}>Nobody is told. The alert only shows here.</p>}
      <div className={classes.words} style={{ marginTop: 12 }}>
        <span className="t2">While firing, notify every</span>
        <Select
          small
          aria-label="While firing, notify every"
          value={rearm}
          options={rearmOptions(rearm)}
          onChange={(v) => setDraft({ ...draft, rearm_seconds: Number(v) })}
        />
      </div>
      {wrong && (
        <p role="alert" className={classes.wrong}>
          {wrong}
        </p>
      )}
    </section>
  );
}

type ChosenProps = { ids: number[]; set: (ids: number[]) => void; tests: TestResult[] | undefined };

/** The services as chips; one more is chosen from the list, or made on the spot. */
function Chosen({ ids, set, tests }: ChosenProps) {
  const { canEdit } = useSession();
  const { data } = useQuery(services.list());
  const [making, setMaking] = useState(false);
  const all = data?.items ?? [];
  const free = all.filter((s) => !ids.includes(s.id));
  return (
    <>
      <div className={classes.words} style={{ marginTop: 0 }}>
        {ids.map((id) => (
          <Told key={id} service={all.find((s) => s.id === id)} id={id} drop={() => set(ids.filter((o) => o !== id))} />
        ))}
        <Menu
          label="Add a service"
          align="start"
          items={[
            ...free.map((s) => ({
              label: s.title,
              hint: s.type,
              icon: <ServiceIcon type={s.type} size={15} />,
              run: () => set([...ids, s.id]),
            })),
            ...(free.length ? (["line"] as const) : []),
            { label: "New service…", disabled: !canEdit && "You can look, not change.", run: () => setMaking(true) },
          ]}
          target={(p) => (
            <Chip dashed {...p}>
              <IconPlus size={14} stroke={1.6} /> Service
            </Chip>
          )}
        />
      </div>
      <Answers tests={tests} />
      <Suspense fallback={null}>
        {making && <NewService close={() => setMaking(false)} onAdded={(made) => set([...ids, made.id])} />}
      </Suspense>
    </>
  );
}

type ToldProps = { service: { type: string; title: string } | undefined; id: number; drop: () => void };

function Told({ service, id, drop }: ToldProps) {
  const title = service?.title ?? `Service ${id}`;
  return (
    <span className={classes.told}>
      <ServiceIcon type={service?.type ?? ""} size={15} />
      <span className="cut">{title}</span>
      <IconButton label={`Do not notify ${title}`} onClick={drop}>
        <IconX size={14} stroke={1.6} />
      </IconButton>
    </span>
  );
}

/** What each service answered to the test, in its own words. */
function Answers({ tests }: { tests: TestResult[] | undefined }) {
  if (!tests) return null;
  return (
    <div role="status" className={classes.answers}>
      {tests.length === 0 && <p className="t2">No service to send a test to.</p>}
      {tests.map((t) => (
        <p key={t.service_id} data-ok={t.ok}>
          <b>{t.title}</b> {`${t.answer} in ${took(t.duration_ms)}`}
        </p>
      ))}
    </div>
  );
}
