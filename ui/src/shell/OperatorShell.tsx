import { IconArrowLeft, IconGauge, IconServer } from "@tabler/icons-react";
import { Link, Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { Missing } from "../components/Failed";
import { Mark } from "../components/Mark";
import { inOrg } from "../lib/org";
import { withPrefix } from "../lib/prefix";
import { Offline } from "./Offline";
import classes from "./Shell.module.css";
import { UserMenu } from "./Sidebar";
import { SignInAgain } from "./SignInAgain";
import { useSession } from "./useSession";

const places = [
  { to: "/operator/machines", title: "Machines", icon: IconServer },
  { to: "/operator/limits", title: "Limits", icon: IconGauge },
] as const;

/** The pages of whoever looks after the server: about no organization, and for nobody else. */
export function OperatorShell() {
  const { operator, org } = useSession();
  if (!operator)
    return (
      <main id="main" className={classes.bare}>
        <Missing />
      </main>
    );
  return (
    <div className={classes.shell}>
      <a href="#main" className="skip">
        Skip to content
      </a>
      <nav className={classes.sidebar} aria-label="Operator">
        <span className={`${classes.org} ${classes.operator}`}>
          <Mark />
          <span className="cut">Tidemark operator</span>
        </span>
        <div className={classes.places}>
          {places.map(({ to, title, icon: Icon }) => (
            <Link
              key={to}
              to={to}
              className={classes.place}
              activeProps={{ "data-active": true, "aria-current": "page" } as never}
              activeOptions={{ includeSearch: false }}
              title={title}
            >
              <Icon size={17} stroke={1.6} />
              <span>{title}</span>
            </Link>
          ))}
        </div>
        <div className={classes.bottom}>
          <a href={withPrefix(inOrg("/", org.id))} className={classes.place} title={org.name}>
            <IconArrowLeft size={17} stroke={1.6} />
            <span className="cut">{org.name}</span>
          </a>
          <UserMenu />
        </div>
      </nav>
      <main id="main" className={classes.main} tabIndex={-1}>
        <Offline />
        <Outlet />
      </main>
      <Suspense fallback={null}>
        <SignInAgain />
      </Suspense>
    </div>
  );
}
