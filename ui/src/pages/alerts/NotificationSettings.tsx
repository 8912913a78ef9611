import type { AlertDraft } from "../../api/alerts";
import type { TestResult } from "../../api/ui.gen";
import { Select } from "../../components/fields";
import { fieldError } from "../../components/problems";
import { took } from "../../lib/format";
import classes from "./Editor.module.css";
import { ServiceChips } from "./ServiceChips";

const rearms = [1, 5, 10, 15, 30, 60, 120, 360, 720, 1440].map((m) => ({
  value: String(m * 60),
  label: m < 60 ? `${m} min` : `${m / 60} h`,
}));

/** The usual times, and the one that is set if it is another. */
const rearmOptions = (now: string) =>
  rearms.some((r) => r.value === now) ? rearms : [...rearms, { value: now, label: `${Number(now) / 60} min` }];

type Props = { draft: AlertDraft; setDraft: (d: AlertDraft) => void; error: unknown; tests: TestResult[] | undefined };

/** Who is notified, and how often. */
export function NotificationSettings({ draft, setDraft, error, tests }: Props) {
  const rearm = String(draft.rearm_seconds);
  const wrong = fieldError(error, "services") ?? fieldError(error, "rearm_seconds");
  return (
    <section>
      <h2>Notifies</h2>
      <ServiceChips ids={draft.services} set={(ids) => setDraft({ ...draft, services: ids })} />
      <Answers tests={tests} />
      {draft.services.length === 0 && <p className={classes.amber}>Nobody is notified. The alert only shows here.</p>}
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
