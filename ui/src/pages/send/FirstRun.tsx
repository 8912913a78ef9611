import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { watchArrivals } from "../../api/arrivals";
import { metrics } from "../../api/metrics";
import type { MeasurementActivity, RequestActivity } from "../../api/ui.gen";
import { Button, LinkButton } from "../../components/Button";
import { usePageTitle } from "../../components/Page";
import { MakeSpace } from "../../components/ReadySpaces";
import { Snippets } from "../../components/Snippets";
import { chartOf, startSpace } from "../../components/startSpace";
import { value } from "../../lib/format";
import { useSession } from "../../shell/useSession";
import { showTour } from "../../shell/useTour";
import { toast } from "../../toasts/toast";
import { Checks } from "./Checks";
import { DemoOffer } from "./DemoOffer";
import { FirstValueLine } from "./FirstValueLine";
import { type FirstSteps, firstSteps, renewFirstSteps } from "./firstSteps";
import { Protocols } from "./Protocols";
import classes from "./Send.module.css";
import { WatchMachine } from "./WatchMachine";

/** What arrived since the page is open. */
type Arrived = { request?: RequestActivity; measurement?: MeasurementActivity };

function useArrived(): Arrived {
  const client = useQueryClient();
  const [arrived, setArrived] = useState<Arrived>({});
  useEffect(
    () =>
      watchArrivals({
        request: (request) => setArrived((old) => ({ ...old, request })),
        measurement: (measurement) => {
          setArrived((old) => ({ measurement, ...old }));
          void client.invalidateQueries({ queryKey: ["session"] });
        },
      }),
    [client],
  );
  return arrived;
}

const firstCharts = 12;

/** Makes a space with a chart for each of the metrics that have the most streams, and goes there. */
function useBuild() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => {
      const { metrics: found } = await client.fetchQuery(metrics.search("", 0, firstCharts, "streams"));
      return startSpace("What arrives", found.map(chartOf));
    },
    onSuccess: (id) => navigate({ to: "/spaces/$id", params: { id: String(id) }, search: { from: young } }),
    onError: (err) => toast(err.message, { tone: "error" }),
  });
}

/** Where the first measurements are more than a dot at the edge. */
const young = "-10m";

/** Waiting for the first measurement, and noticing it. */
export function FirstRun() {
  const { canEdit, canManage, server } = useSession();
  const { request, measurement } = useArrived();
  const build = useBuild();
  const token = useFirstSteps();
  const got = useQuery({
    ...metrics.search(measurement?.name ?? "", 0, 1),
    enabled: measurement !== undefined,
    refetchInterval: (q) => (q.state.data?.metrics[0]?.last_value == null ? 1_000 : 10_000),
  });
  const metric = measurement && got.data?.metrics.find((m) => m.name === measurement.name);
  const title = measurement
    ? works(measurement.name, metric?.last_value, metric?.units)
    : "Waiting for your first measurement";
  usePageTitle(measurement ? "It works" : "Send data");
  return (
    <div className={classes.first}>
      <div role="status">
        <h1>{title}</h1>
      </div>
      <p className={classes.lead}>
        {measurement
          ? "Everything that was sent is stored and can be looked at now."
          : "The quickest way: let Tidemark watch the machine in front of you. Anything that spoke to AppOptics or Librato works too: change its host name, keep the rest."}
      </p>
      <FirstValueLine value={metric?.last_value ?? undefined} name={measurement?.name} />
      {measurement && (
        <div className={classes.next}>
          <LinkButton to={`/metrics?name=${encodeURIComponent(measurement.name)}&from=${young}`}>
            See the metric
          </LinkButton>
          {canEdit && measurement.name.startsWith("host.") && <MakeSpace name="hosts" title="Hosts" />}
          {canEdit && !measurement.name.startsWith("host.") && (
            <Button variant="default" loading={build.isPending} onClick={() => build.mutate()}>
              Build a space from what arrives
            </Button>
          )}
        </div>
      )}
      {(token.value || token.exists || !canManage) && (
        <>
          <WatchMachine server={server} token={token.value ?? "YOUR_TOKEN"} />
          <h2 className={classes.or}>Or send with what you have</h2>
        </>
      )}
      {(token.value || token.exists || !canManage) && (
        <Snippets server={server} token={token.value ?? "YOUR_TOKEN"} other={<Protocols />} />
      )}
      {!token.value && !token.exists && canManage && !token.error && <div className={classes.room} />}
      <p className={classes.aside}>
        {token.error && `The token for this page could not be made: ${token.error}`}
        {token.value && (
          <>
            Filled in with the Record Only token <span className="mono">first-steps</span>, made for this page just now.
            It is shown only here; make others under <Link to="/settings/tokens">API Tokens</Link>.
          </>
        )}
        {token.exists && (
          <>
            The Record Only token <span className="mono">first-steps</span> was made earlier and cannot be shown again.{" "}
            <button type="button" className={classes.help} onClick={token.renew}>
              Make a new value
            </button>
          </>
        )}
        {!canManage && "Ask an Admin for a Record Only token and put it in place of YOUR_TOKEN."}
      </p>
      <Checks request={request} measurement={measurement} />
      <div className={classes.foot}>
        {canManage && (
          <span>
            Moving from AppOptics or Librato? <Link to="/settings/tokens/new">Import your old tokens</Link>
          </span>
        )}
        {canManage && <DemoOffer />}
        <span>
          New here?{" "}
          <button type="button" className={classes.help} onClick={() => showTour(0)}>
            Take the tour
          </button>
        </span>
      </div>
    </div>
  );
}

const works = (name: string, v: number | null | undefined, unit = "") =>
  v == null ? `It works. ${name} has arrived.` : `It works. ${name} is ${value(v, unit)}.`;

/** The token of the page, made once, by those who may. */
function useFirstSteps(): FirstSteps & { error?: string; renew: () => void } {
  const { org, canManage } = useSession();
  const [state, setState] = useState<FirstSteps & { error?: string }>({});
  const failed = (err: Error) => setState({ error: err.message });
  useEffect(() => {
    let gone = false;
    if (canManage)
      firstSteps(org.id).then(
        (made) => !gone && setState(made),
        (err: Error) => !gone && setState({ error: err.message }),
      );
    return () => {
      gone = true;
    };
  }, [org.id, canManage]);
  return { ...state, renew: () => void renewFirstSteps(org.id).then(setState, failed) };
}
