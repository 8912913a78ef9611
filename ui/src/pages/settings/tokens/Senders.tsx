import { useQuery } from "@tanstack/react-query";
import { tokens } from "../../../api/tokens";
import type { TokenSummary } from "../../../api/ui.gen";
import { Sparkline } from "../../../chart/Sparkline";
import { RelativeTime } from "../../../components/RelativeTime";
import { Skeleton } from "../../../components/Skeleton";
import classes from "../../../components/settingsPages.module.css";
import table from "../../../components/table.module.css";
import { count } from "../../../lib/format";
import own from "./Tokens.module.css";
import { byAgent, whereFrom, wholeDays } from "./words";

/** Who used a token in the last thirty days: one row per program. */
export function Senders({ token }: { token: TokenSummary }) {
  const { data } = useQuery(tokens.senders(token.id));
  if (!data) return <Skeleton height={120} />;
  if (data.senders.length === 0)
    return <p className="t2">{token.last_used_at ? "No request in this time." : "No request yet."}</p>;
  return (
    <div className={`${table.panel} ${classes.list}`}>
      {byAgent(data.senders).map((g) => (
        <div key={g.agent} className={classes.item}>
          <div>
            <span className={`mono cut ${own.agent}`} data-tip={g.agent}>
              {g.agent || "no user agent"}
            </span>
            <small className="cut" data-tip={g.senders.slice(0, 40).join(", ")}>
              {whereFrom(g)}
            </small>
            {data.old_value && g.old > 0 && (
              <small className={classes.amber}>
                {g.senders.length > 1
                  ? `${count(g.old, "still uses", "still use")} the old value`
                  : "uses the old value"}
              </small>
            )}
          </div>
          <Sparkline values={wholeDays(g.days)} color="var(--tm-acc)" height={22} width={72} fill zero />
          <span className={`t2 num ${own.when}`}>
            <RelativeTime at={g.last} />
          </span>
        </div>
      ))}
    </div>
  );
}
