import { useQuery } from "@tanstack/react-query";
import { type Sender, tokens } from "../../../api/tokens";
import { Sparkline } from "../../../chart/Sparkline";
import { RelativeTime, Skeleton } from "../../../components/parts";
import classes from "../Settings.module.css";

/** Who used a token in the last thirty days: one row per program. */
export function Senders({ id }: { id: number }) {
  const { data } = useQuery(tokens.senders(id));
  if (!data) return <Skeleton height={120} />;
  if (data.senders.length === 0) return <p className="t2">No request yet.</p>;
  return (
    <div className={`${classes.panel} ${classes.list}`}>
      {byAgent(data.senders).map((g) => (
        <div key={g.agent} className={classes.item}>
          <div>
            <span className="mono cut">{g.agent || "no user agent"}</span>
            <small className="cut">
              {g.senders.length > 3
                ? `${g.senders.length} senders: ${g.senders.slice(0, 3).join(", ")} …`
                : g.senders.join(", ")}
            </small>
          </div>
          <Sparkline values={g.days} color="var(--tm-acc)" height={22} width={72} fill zero />
          <span className="t2 num">
            <RelativeTime at={g.last} />
          </span>
        </div>
      ))}
    </div>
  );
}

type Group = { agent: string; senders: string[]; days: number[]; last: number };

/** Programs by what they call themselves, with all places they send from. */
export function byAgent(senders: Sender[]): Group[] {
  const groups = new Map<string, Group>();
  for (const s of senders) {
    const g = groups.get(s.user_agent) ?? { agent: s.user_agent, senders: [], days: s.days.map(() => 0), last: 0 };
    g.senders.push(s.sender);
    g.days = g.days.map((n, i) => n + (s.days[i] ?? 0));
    g.last = Math.max(g.last, s.last_at);
    groups.set(s.user_agent, g);
  }
  return [...groups.values()].sort((a, b) => b.last - a.last);
}
