import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { security } from "../../api/security";
import { sessionQuery, signOut } from "../../api/session";
import { Button } from "../../components/Button";
import { Mark } from "../../components/Mark";
import { usePageTitle } from "../../components/Page";
import { ownPath } from "../../lib/link";
import { inOrg } from "../../lib/org";
import { goTo, replaceWith } from "../../lib/prefix";
import { Factors } from "../../security/Factors";
import classes from "./Door.module.css";

/** For members of an organization that demands a second factor, who have none yet. */
export function EnrolPage() {
  const { next } = useSearch({ from: "/enrol" });
  const { data } = useQuery(sessionQuery);
  const { data: factors } = useQuery(security.factors);
  usePageTitle("Set up a second factor");
  const name = data?.org.name ?? "Your organization";
  const others = data?.orgs.filter((o) => o.id !== data.org.id) ?? [];
  const has = factors && (factors.totp || factors.passkeys.length > 0);
  const leave = () => signOut().then(() => goTo("/signin"));
  return (
    <main className={classes.door}>
      <div className={classes.enrol}>
        <Mark size={40} />
        <div>
          <h1>{`${name} asks for a second factor`}</h1>
          <p className="t2" style={{ margin: "4px 0 0" }}>
            Set up one before you go on. One passkey, or one app, is enough; keep the recovery codes somewhere safe.
          </p>
        </div>
        <h2 className="sr">Ways to set one up</h2>
        <Factors />
        <div className={classes.choice}>
          <Button disabled={!has} onClick={() => replaceWith(ownPath(next))}>
            {`Go on to ${name}`}
          </Button>
          {others.map((o) => (
            <Button key={o.id} variant="default" onClick={() => goTo(inOrg("/", o.id))}>
              {`Switch to ${o.name}`}
            </Button>
          ))}
          <Button variant="default" onClick={leave}>
            Sign out
          </Button>
        </div>
      </div>
    </main>
  );
}
