import { useQuery, useQueryClient } from "@tanstack/react-query";
import { demo } from "../../api/demo";
import type { DemoView } from "../../api/ui.gen";
import { useConfirm } from "../../components/confirm";
import { Panel } from "../../components/Panel";
import { inOrg } from "../../lib/org";
import { goTo } from "../../lib/prefix";
import { deleteDemo } from "../../shell/demo";
import { useSession } from "../../shell/useSession";
import classes from "./Send.module.css";

/** The way to a filled product for somebody who only looks around. */
export function DemoOffer() {
  const { data } = useQuery(demo.state);
  const start = useStart();
  if (!data || data.state === "elsewhere") return null;
  if (data.state === "none")
    return (
      <span>
        Only looking around?{" "}
        <button type="button" className={classes.help} onClick={start}>
          Fill with demo data
        </button>
      </span>
    );
  return <Progress demo={data} again={start} />;
}

function useStart() {
  const { org } = useSession();
  const client = useQueryClient();
  const confirm = useConfirm();
  return () =>
    void confirm({
      title: "Fill with demo data?",
      text: `This makes a second organization, Demo: a small web shop with a week of measurements, spaces, and alerts that fire and clear. ${org.name} stays as it is. It takes less than a minute, and you can delete Demo whenever you like.`,
      action: "Make the demo",
      act: async () => client.setQueryData(demo.state.queryKey, await demo.start()),
    });
}

function Progress({ demo: d, again }: { demo: DemoView; again: () => void }) {
  const client = useQueryClient();
  const name = d.org?.name ?? "Demo";
  const open = () => goTo(inOrg("/", d.org?.id ?? ""));
  const remove = async () => {
    if (await deleteDemo(name)) await client.invalidateQueries({ queryKey: ["demo"] });
  };
  const percent = Math.round(100 * d.done);
  return (
    <Panel className={classes.demo ?? ""} aria-label="Demo data">
      {d.state === "filling" && (
        <>
          <span>{`Filling ${name} with a week of a small web shop`}</span>
          <progress max={100} value={percent} aria-label={`Filling ${name}`} />
          <span className="num t2">{`${percent} %`}</span>
        </>
      )}
      {d.state === "ready" && (
        <>
          <span role="status">{`${name} is ready: a small web shop, kept alive while the server runs.`}</span>
          <button type="button" className={classes.help} onClick={open}>
            {`Open ${name}`}
          </button>
          <button type="button" className={classes.quiet} onClick={() => void remove()}>
            Delete it…
          </button>
        </>
      )}
      {d.state === "failed" && (
        <>
          <span role="alert">{`The demo could not be made: ${d.error}`}</span>
          <button type="button" className={classes.help} onClick={again}>
            Try again
          </button>
        </>
      )}
    </Panel>
  );
}
