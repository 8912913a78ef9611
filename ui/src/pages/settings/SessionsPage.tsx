import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { signedIn } from "../../api/org";
import { useChange } from "../../api/resource";
import { ErrorCard } from "../../components/problems";
import { RelativeTime } from "../../components/RelativeTime";
import { SkeletonRows } from "../../components/Skeleton";
import { browserName } from "../../lib/browser";
import { dayAndClock } from "../../lib/format";
import { Head } from "./Head";
import classes from "./Settings.module.css";

/** Where you are signed in. */
export function SessionsPage() {
  const { data, error, refetch } = useQuery(signedIn.list);
  const end = useChange(["sessions"], signedIn.end);
  return (
    <>
      <Head
        title="Sessions"
        lead="Browsers in which you are signed in. End one you do not know, and change your password."
      />
      {error && <ErrorCard error={error} retry={refetch} what="the sessions" />}
      {!data && !error && <SkeletonRows rows={3} height={54} />}
      {data && (
        <div className={classes.panel}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th>Browser</th>
                <th className={classes.hide}>Signed in</th>
                <th className={classes.hide}>Last seen</th>
                <th>
                  <span className="sr">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((s) => (
                <tr key={s.id}>
                  <td>
                    <span className={classes.name} data-tip={s.user_agent}>
                      {browserName(s.user_agent)}
                    </span>
                    <br />
                    <span className="t2">
                      from {s.address}
                      {s.current && " · this one"}
                    </span>
                    <span className={`t2 ${classes.only}`}>
                      <RelativeTime at={s.last_seen_at} />
                    </span>
                  </td>
                  <td className={`t2 ${classes.hide}`}>{dayAndClock(s.created_at)}</td>
                  <td className={classes.hide}>
                    <RelativeTime at={s.last_seen_at} />
                  </td>
                  <td className={classes.right}>
                    {!s.current && (
                      <Button variant="subtle" color="gray" size="xs" onClick={() => end.mutate(s.id)}>
                        End session
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
