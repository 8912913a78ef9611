import {
  IconBellRinging,
  IconBellZ,
  IconCheck,
  IconCircleCheck,
  IconFlag,
  IconMessage,
  IconPencil,
  IconPlayerPlay,
  IconPlus,
  IconRotate,
  IconTool,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { alerts } from "../../api/alerts";
import type { AlertDetail, TimelineEntry } from "../../api/ui.gen";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import { Segments } from "../../components/Segments";
import { Skeleton } from "../../components/Skeleton";
import { useNow } from "../../components/useNow";
import { shortMoment } from "../../lib/alertWords";
import { exact } from "../../lib/format";
import { inPart, isMine, type Part, record, said } from "../../lib/timeline";
import { ServiceIcon } from "../../services/ServiceIcon";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import classes from "./Alert.module.css";
import { Comment, EditComment, startComment } from "./Comment";
import own from "./Incident.module.css";
import parts from "./pillsAndLinks.module.css";

const icons: Record<string, typeof IconCheck> = {
  fired: IconBellRinging,
  joined: IconPlus,
  acknowledged: IconCheck,
  reopened: IconRotate,
  comment: IconMessage,
  maintenance: IconTool,
  "maintenance over": IconTool,
  changed: IconPencil,
  snoozed: IconBellZ,
  resumed: IconPlayerPlay,
  annotation: IconFlag,
  cleared: IconCircleCheck,
};

const choices: { value: Part; label: string }[] = [
  { value: "all", label: "All" },
  { value: "notifications", label: "Notifications" },
  { value: "comments", label: "Comments" },
];

const none = {
  all: "Nothing yet.",
  notifications: "Nobody was notified.",
  comments: "Nobody said anything yet.",
};

/** So many are looked through on a phone without choosing among them. */
const few = 6;

/** Everything that happened to an incident, the newest first, and what people say about it. */
export function Timeline({ alert: a, incident }: { alert: AlertDetail; incident: number }) {
  const { data, error, refetch } = useQuery(alerts.incident(incident));
  const { user, canEdit } = useSession();
  const now = useNow(data?.timeline.some((e) => isMine(e, user.email)) ?? false);
  const [part, setPart] = useState<Part>("all");
  const cleared = data?.incident?.cleared_at;
  const open = incident === a.incident_id;
  const phone = usePhone();
  const filter = <Segments small label="What is shown" options={choices} value={part} onChange={setPart} />;
  const shown = data?.timeline.filter((e) => inPart(e, part)) ?? [];
  return (
    <Panel className={classes.box ?? ""} aria-label="Timeline">
      <header>
        <h2>Timeline</h2>
        {phone ? (
          <button type="button" className={`${parts.link} ${own.speak}`} onClick={startComment}>
            Comment
          </button>
        ) : (
          filter
        )}
      </header>
      {phone && (data?.timeline.length ?? 0) > few && <div className={own.filter}>{filter}</div>}
      {error && <ErrorCard error={error} retry={refetch} what="the timeline" />}
      {!data && !error && <Skeleton height={220} radius={10} />}
      {cleared && data?.incident && (
        <p className={`t2 ${own.record}`}>{record({ ...data.incident, cleared_at: cleared })}</p>
      )}
      {data && shown.length === 0 && <p className="t3">{none[part]}</p>}
      <ol className={own.timeline}>
        {shown.map((e, i) => (
          <Entry
            key={`${e.at}${e.kind}${e.delivery?.id ?? e.id ?? i}`}
            entry={e}
            maxTries={a.max_tries}
            {...(isMine(e, user.email, now) && { change: incident })}
          />
        ))}
      </ol>
      {data && (
        <Comment incident={incident} over={!open} {...(open && canEdit && !a.acknowledged_at && { acknowledges: a })} />
      )}
    </Panel>
  );
}

type EntryProps = { entry: TimelineEntry; maxTries: number; change?: number };

/** What happened. With change, the incident that it is a comment on, it can be edited. */
function Entry({ entry: e, maxTries, change }: EntryProps) {
  const words = said(e, maxTries);
  const [editing, setEditing] = useState(false);
  const Icon = icons[e.kind] ?? IconBellRinging;
  const title = (
    <span className={e.kind === "fired" || e.kind === "cleared" ? parts[words.tone ?? "red"] : undefined}>
      {e.kind === "notified" || e.kind.startsWith("maintenance") ? (
        <>
          {words.title} <b>{words.bold}</b>
        </>
      ) : (
        <>
          {words.bold && <b>{words.bold} </b>}
          {words.bold ? words.title : <b>{words.title}</b>}
        </>
      )}
    </span>
  );
  return (
    <li data-kind={e.kind}>
      {e.delivery ? <ServiceIcon type={e.delivery.type} size={15} /> : <Icon size={15} stroke={1.6} aria-hidden />}
      <div className={own.said}>
        {e.delivery ? <Opens id={e.delivery.id}>{title}</Opens> : title}
        {change && !editing && (
          <button type="button" className={`${parts.link} ${own.edit}`} onClick={() => setEditing(true)}>
            Edit
          </button>
        )}
        {change && editing && <EditComment incident={change} entry={e} close={() => setEditing(false)} />}
        {!(change && editing) && (words.state || words.detail) && (
          <div className="t2">
            {words.state && <span className={parts[words.tone ?? "amb"]}>{words.state}</span>}
            {words.state && words.detail && ", "}
            {words.detail}
          </div>
        )}
      </div>
      <time className="num t3" data-tip={exact(e.at)} dateTime={new Date(e.at * 1000).toISOString()}>
        {shortMoment(e.at)}
      </time>
    </li>
  );
}

/** A notification opens what was sent and answered. */
function Opens({ id, children }: { id: number; children: React.ReactNode }) {
  const navigate = useNavigate();
  const open = () => void navigate({ to: ".", search: (old: object) => ({ ...old, delivery: String(id) }) } as never);
  return (
    <button type="button" className={parts.opens} onClick={open}>
      {children}
    </button>
  );
}
