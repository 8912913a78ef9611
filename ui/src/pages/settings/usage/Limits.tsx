import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { org } from "../../../api/org";
import type { LimitPast, LimitUse, OrgUsage } from "../../../api/ui.gen";
import { Sparkline } from "../../../chart/Sparkline";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { LimitBar } from "../../../components/LimitBar";
import { Panel } from "../../../components/Panel";
import { ErrorCard } from "../../../components/problems";
import { Skeleton } from "../../../components/Skeleton";
import { TableHead } from "../../../components/TableHead";
import table from "../../../components/table.module.css";
import { count, dayAndMonth } from "../../../lib/format";
import {
  amount,
  command,
  forecast,
  lineOf,
  lineSentence,
  nearness,
  ofOrganization,
  ofOthers,
  percent,
  share,
  soonest,
  worst,
} from "../../../lib/limits";
import { culprit } from "../../../lib/tagDrops";
import { useSession } from "../../../shell/useSession";
import { AskForMore } from "./AskForMore";
import { DropTag, useTagsOf } from "./DropTag";
import classes from "./Limits.module.css";
import { UseChart } from "./UseChart";

/** Use beside limit, what happens there, and how to get more. */
export function Limits({ usage }: { usage: OrgUsage }) {
  const { data, error, refetch } = useQuery(org.limits);
  if (error) return <ErrorCard error={error} retry={refetch} what="the limits" />;
  if (!data) return <Skeleton height={320} />;
  return (
    <>
      <Notice limits={data.limits} past={data.past} usage={usage} />
      <UseChart limits={data.limits} past={data.past} />
      <Panel className={classes.panel ?? ""}>
        <LimitTable list={ofOrganization(data.limits)} past={data.past} />
      </Panel>
      <p className={classes.pace}>
        The line is the most of each day. A limit is said to be reached if the last 14 days clearly rise: the pace is
        the middle of all rises from one of them to another, so that a few odd days do not count.
      </p>
      <details className={classes.others}>
        <summary>What one stream, alert or query may be</summary>
        <Panel>
          <LimitTable list={ofOthers(data.limits)} past={data.past} />
        </Panel>
      </details>
      <AskForMore limits={data.limits} requests={data.requests} />
      <Ask limit={worst(data.limits)} />
    </>
  );
}

/** The limit that comes first, and what most of it is used by. */
function Notice({ limits, past, usage }: { limits: LimitUse[]; past: LimitPast[]; usage: OrgUsage }) {
  const { canManage } = useSession();
  const [open, setOpen] = useState(false);
  const l = worst(limits) ?? soonest(limits, past);
  const cause = l?.name === "streams" || l?.name === "tag_bytes" ? usage.top[0] : undefined;
  const tag = culprit(useTagsOf(cause?.name ?? ""));
  if (!l) return null;
  const at = nearness(l) === "at";
  const reaches = past.find((p) => p.name === l.name)?.reaches_at;
  return (
    <Panel className={classes.notice ?? ""} data-near={nearness(l)} role="status">
      <IconAlertTriangle size={18} stroke={1.6} aria-hidden />
      <span>
        <b>
          {at ? `${l.title}: the limit is reached.` : `${l.title}: ${percent(share(l) ?? 0)} of the limit is used.`}
        </b>{" "}
        {at && l.effect}
        {!at && reaches && `At this pace it is reached about ${dayAndMonth(reaches)}.`}
        {cause && (
          <>
            {" "}
            Most of them are of <span className="mono">{cause.name}</span>
            {tag && (
              <>
                , whose tag <span className="mono">{tag.name}</span> has {count(tag.values, "value")}
              </>
            )}
            .
          </>
        )}
      </span>
      {cause && (
        <Link to="/metrics" search={{ name: cause.name }}>
          Show them
        </Link>
      )}
      {cause && canManage && (
        <Button variant="default" size="xs" onClick={() => setOpen(true)}>
          {tag ? `Drop tag ${tag.name}…` : "Drop a tag…"}
        </Button>
      )}
      {open && <DropTag metric={cause?.name ?? ""} tag={tag?.name ?? ""} close={() => setOpen(false)} />}
    </Panel>
  );
}

const columns = [
  { label: "Limit" },
  { label: "30 days", wide: true, width: "120px" },
  { label: "Use", right: true },
  { label: "Part of the limit", silent: true, wide: true, width: "20%" },
  { label: "Allowed", right: true },
  { label: "At the limit", wide: true, width: "28%" },
];

function LimitTable({ list, past }: { list: LimitUse[]; past: LimitPast[] }) {
  return (
    <table className={`${table.table} ${classes.limits}`}>
      <TableHead columns={columns} />
      <tbody>
        {list.map((l) => (
          <Row key={l.name} l={l} past={past.find((p) => p.name === l.name)} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ l, past }: { l: LimitUse; past: LimitPast | undefined }) {
  const reaches = forecast(past);
  return (
    <tr data-near={nearness(l)}>
      <td>
        <b>{l.title}</b>
        {l.own && <span className="t3"> set for this organization</span>}
        {reaches && <div className={classes.reaches}>{reaches}</div>}
        <div className={classes.under}>
          {l.effect}
          <Line l={l} past={past} />
        </div>
      </td>
      <td className={table.hide}>
        <Line l={l} past={past} />
      </td>
      <td className={`num ${table.right} ${classes.use}`}>
        {l.use === null ? <span className="t3">not counted</span> : amount(l, l.use)}
      </td>
      <td className={table.hide}>
        <LimitBar limit={l} />
      </td>
      <td className={`num ${table.right}`}>{l.limit === 0 ? "any number" : amount(l, l.limit)}</td>
      <td className={`t2 ${table.hide}`}>{l.effect}</td>
    </tr>
  );
}

/** What was used on each of the last 30 days, where that is kept. */
function Line({ l, past }: { l: LimitUse; past: LimitPast | undefined }) {
  if (!past || past.days.length < 2) return null;
  const line = lineOf(past);
  return (
    <div className={classes.line} data-near={forecast(past) ? "near" : nearness(l)}>
      <span className="sr">{lineSentence(l, line)}</span>
      <Sparkline values={line} color="currentColor" height={22} />
    </div>
  );
}

/** Limits are the operator's: what to send them, ready to be passed on. */
function Ask({ limit }: { limit: LimitUse | undefined }) {
  const { org: own } = useSession();
  const text = command(own.name, limit);
  return (
    <p className={classes.ask}>
      <span>
        Whoever runs the server sets other limits with <code>{text}</code>
      </span>
      <CopyButton text={text} label="Copy" />
    </p>
  );
}
