import { IconArrowLeft, IconFlask } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { type AlertDraft, alerts } from "../../api/alerts";
import { ApiError } from "../../api/client";
import { saveSeen, toEdit } from "../../api/history";
import { useChange } from "../../api/resource";
import type { Alert } from "../../api/types";
import type { TestResult } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { discard, useConfirm } from "../../components/confirm";
import { usePageTitle } from "../../components/Page";
import { ErrorCard, FormError } from "../../components/problems";
import { Skeleton } from "../../components/Skeleton";
import { useConcurrency } from "../../history/useConcurrency";
import { isWrong, stepProblems } from "../../lib/escalation";
import { linkProblem } from "../../lib/link";
import { questionOf } from "../../lib/question";
import { useShortcuts } from "../../shell/shortcuts";
import { useSession } from "../../shell/useSession";
import { toast } from "../../toasts/toast";
import { AlertDetails } from "./AlertDetails";
import { Backtest } from "./Backtest";
import { Conditions } from "./Conditions";
import classes from "./Editor.module.css";
import { Escalation } from "./Escalation";
import { NotificationSettings } from "./NotificationSettings";
import { highestOf, justAbove, newCondition } from "./newCondition";

const Concurrent = lazy(() => import("../../history/Concurrent"));

const draftOf = (a: Alert): AlertDraft => ({
  name: a.name,
  description: a.description,
  conditions: a.conditions,
  services: a.services.map((s) => s.id),
  attributes: a.attributes,
  active: a.active,
  rearm_seconds: a.rearm_seconds,
  severity: a.severity ?? "",
  labels: a.labels ?? {},
  escalation: a.escalation ?? [],
});

/** A draft on a metric starts just above what it came to in a week: what fires all the time tells nothing. */
export function NewAlertPage() {
  const search = useSearch({ from: "/bare/alerts/new" });
  const { metric } = search;
  const highest = useQuery({
    queryKey: ["alerts", "highest", metric],
    queryFn: ({ signal }) => highestOf(metric ?? "", signal),
    enabled: metric !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (metric !== undefined && highest.isPending) return <Skeleton height={400} />;
  const draft: AlertDraft = {
    name: "",
    description: null,
    conditions: [newCondition(metric, justAbove(highest.data ?? 0), questionOf(search))],
    services: [],
    attributes: {},
    active: true,
    rearm_seconds: 600,
    severity: "",
    labels: {},
    escalation: [],
  };
  return <Editor key={JSON.stringify(search)} start={draft} />;
}

export function AlertEditorPage() {
  const { id } = useParams({ from: "/bare/alerts/$id/edit" });
  const query = toEdit<Alert>({ kind: "alert", id: Number(id) }, `/v1/alerts/${id}`);
  const { data, error, refetch } = useQuery(query);
  const { data: now } = useQuery(alerts.detail(Number(id)));
  if (error) return <ErrorCard error={error} retry={refetch} what="this alert" />;
  if (!data) return <Skeleton height={400} />;
  const { thing, version } = data;
  return (
    <Editor
      key={`${thing.id} ${version}`}
      start={draftOf(thing)}
      id={thing.id}
      version={version}
      reload={() => void refetch()}
      firing={now?.state === "firing"}
    />
  );
}

/** The keys of saving, as this machine writes them. */
const saveKeys = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘S" : "Ctrl S";

const differs = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);

const places = ["name", "description", "services", "rearm_seconds", "attributes.runbook_url", "severity", "labels"];
/** Whether a problem of this field is shown beside a control. */
const hasPlace = (field: string) => places.includes(field) || /^(conditions\.|escalation\b)/.test(field);

type EditorProps = {
  start: AlertDraft;
  id?: number;
  /** Which version of it this is, and how to begin again with what there is now. */
  version?: number;
  reload?: () => void;
  firing?: boolean;
};

/** Left: sentences. Right: the past. Every change is answered at once. */
function Editor({ start, id, version = 0, reload, firing = false }: EditorProps) {
  const [draft, setDraft] = useState(start);
  const [place, setPlace] = useState(0);
  const [tests, setTests] = useState<TestResult[]>();
  const [tried, setTried] = useState(false);
  const [wrongLabel, setWrongLabel] = useState<string>();
  const { canEdit } = useSession();
  const navigate = useNavigate();
  const title = id ? draft.name || "Alert" : "New alert";
  usePageTitle(title);
  const others = useConcurrency(version);
  const save = useChange(["alerts"], ({ draft: d, over }: { draft: AlertDraft; over: number }) =>
    id ? saveSeen<Alert>(`/v1/alerts/${id}`, d, over) : alerts.create(d),
  );
  const test = useChange(["alerts", "test"], alerts.testDraft);
  const problems = save.error instanceof ApiError ? save.error.fields : {};
  const changed = differs(draft, start);
  const leave = () => void navigate(id ? { to: "/alerts/$id", params: { id: String(id) } } : { to: "/alerts" });
  const confirm = useConfirm();
  const cancel = async () => {
    if (!changed || (await confirm(discard()))) leave();
  };
  const submit = (over = version) => {
    setTried(true);
    const wrong =
      wrongLabel || linkProblem(draft.attributes.runbook_url ?? "") || stepProblems(draft.escalation).some(isWrong);
    if (!canEdit || wrong) return;
    const refused = (err: unknown) => {
      if (others.refused(err)) save.reset();
    };
    const onSaved = {
      onError: refused,
      onSuccess: (made: Alert | undefined) => {
        toast(`${draft.name} is saved.`);
        const to = id ?? made?.id;
        void navigate(to ? { to: "/alerts/$id", params: { id: String(to) } } : { to: "/alerts" });
      },
    };
    save.mutate({ draft, over }, onSaved);
  };
  useShortcuts([
    ...(canEdit ? [{ keys: "mod+s", label: "Save alert", run: () => submit() }] : []),
    { keys: "escape", label: "Close", run: () => void cancel() },
  ]);
  const sendTest = () =>
    test.mutate(draft, {
      onSuccess: ({ results }) => setTests(results),
      onError: (err) => toast(err.message, { tone: "error" }),
    });
  return (
    <div className={classes.editor}>
      <header className={classes.bar}>
        <button type="button" aria-label="Back" className={classes.back ?? ""} onClick={() => void cancel()}>
          <IconArrowLeft size={18} stroke={1.6} />
        </button>
        <span className={classes.crumb}>
          <Link to="/alerts">Alerts</Link>
          <span aria-hidden>/</span>
        </span>
        <h1 className="cut">{title}</h1>
        {canEdit ? (
          <Button
            variant="default"
            leftSection={<IconFlask size={15} stroke={1.6} />}
            loading={test.isPending}
            onClick={sendTest}
          >
            Send test
          </Button>
        ) : (
          <span className="t3">View only</span>
        )}
        <Button className={classes.optional ?? ""} variant="default" onClick={() => void cancel()}>
          Cancel
        </Button>
        {canEdit && (
          <Button loading={save.isPending} onClick={() => submit()}>
            Save alert
            <kbd className={classes.keys}>{saveKeys}</kbd>
          </Button>
        )}
      </header>
      {id && canEdit && (
        <Suspense fallback={null}>
          <Concurrent
            thing={{ kind: "alert", id }}
            with={others}
            takeTheirs={() => reload?.()}
            saveMine={(over) => submit(over)}
          />
        </Suspense>
      )}
      <div className={classes.body}>
        <div className={classes.left}>
          {firing && differs(draft.conditions, start.conditions) && (
            <p className={classes.amber}>Saving resets this alert’s state; the current incident ends silently.</p>
          )}
          <Conditions draft={draft} setDraft={setDraft} problems={problems} onWork={setPlace} />
          <hr />
          <NotificationSettings draft={draft} setDraft={setDraft} error={save.error} tests={tests} />
          <hr />
          <Escalation draft={draft} setDraft={setDraft} error={save.error} tried={tried} />
          <hr />
          <AlertDetails
            draft={draft}
            setDraft={setDraft}
            error={save.error}
            tried={tried}
            onLabelProblem={setWrongLabel}
          />
          <FormError error={save.error} fields={Object.keys(problems).filter(hasPlace)} />
        </div>
        <div className={classes.right}>
          <Backtest draft={draft} setDraft={setDraft} place={place} />
        </div>
      </div>
    </div>
  );
}
