import { useQuery } from "@tanstack/react-query";
import { signedIn } from "../../api/org";
import { useChange } from "../../api/resource";
import { signin } from "../../api/signin";
import { Button } from "../../components/Button";
import { useConfirm } from "../../components/confirm";
import { ErrorCard } from "../../components/problems";
import { SkeletonRows } from "../../components/Skeleton";
import classes from "../../components/settingsPages.module.css";
import { count } from "../../lib/format";
import { goTo } from "../../lib/prefix";
import { toast } from "../../toasts/toast";
import { PasswordForm } from "./profile/PasswordForm";
import { SessionTable } from "./profile/SessionTable";
import { You } from "./profile/You";
import { SettingsHead } from "./SettingsHead";

/** You: your name, your password, how things are shown to you, and where you are signed in. */
export function SessionsPage() {
  const { data, error, refetch } = useQuery(signedIn.list);
  const { data: options } = useQuery(signin.options);
  const end = useChange(["sessions"], signedIn.end);
  const endAll = useChange(["sessions"], (ids: number[]) => Promise.all(ids.map(signedIn.end)));
  const others = data?.filter((s) => !s.current).map((s) => s.id) ?? [];
  const confirm = useConfirm();
  const signOutEverywhere = () =>
    confirm({
      title: "Sign out everywhere?",
      text: "Every session of yours ends at once, this one too.",
      action: "Sign out everywhere",
      act: async () => {
        await signedIn.endAll();
        goTo("/signin");
      },
    });
  const failed = (err: Error) => toast(err.message, { tone: "error" });
  return (
    <>
      <SettingsHead title="Profile and sessions" lead="You, in every organization of this server." />
      <You />
      {options?.passwords !== false && (
        <>
          <div className={classes.section}>
            <h3>Your password</h3>
          </div>
          <PasswordForm />
        </>
      )}
      <div className={classes.section}>
        <div>
          <h3>Sessions</h3>
          <p className={classes.lead}>Browsers in which you are signed in. End those you do not know.</p>
        </div>
        <div className={classes.actions}>
          {others.length > 1 && (
            <Button
              variant="default"
              size="xs"
              loading={endAll.isPending}
              onClick={() => endAll.mutate(others, { onError: failed })}
            >
              {`End ${count(others.length, "other", "others")}`}
            </Button>
          )}
          <Button variant="default" size="xs" onClick={signOutEverywhere}>
            Sign out everywhere
          </Button>
        </div>
      </div>
      {error && <ErrorCard error={error} retry={refetch} what="the sessions" />}
      {!data && !error && <SkeletonRows rows={3} height={54} />}
      {data && <SessionTable sessions={data} end={(id) => end.mutate(id, { onError: failed })} />}
    </>
  );
}
