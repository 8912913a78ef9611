import {
  IconLogout,
  IconMap2,
  IconMoonStars,
  IconSearch,
  IconSelector,
  IconServer,
  IconServerCog,
  IconUser,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState, useSyncExternalStore } from "react";
import { signOut } from "../api/session";
import { spaces } from "../api/spaces";
import { Kbd } from "../components/controls";
import { Mark } from "../components/Mark";
import { Menu, type MenuItem } from "../components/Menu";
import { inOrg } from "../lib/org";
import { goTo } from "../lib/prefix";
import { scheme } from "../lib/scheme";
import { toast } from "../toasts/toast";
import { help, isIn, type Place, places, sendData, settings } from "./navigation";
import classes from "./Shell.module.css";
import { useFiring } from "./useFiring";
import { useSession } from "./useSession";
import { showTour } from "./useTour";

const NewOrg = lazy(() => import("./NewOrg"));

export const modKey = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl ";

export function Sidebar({ onSearch }: { onSearch: () => void }) {
  const firing = useFiring();
  return (
    <nav className={classes.sidebar} aria-label="Main">
      <OrgSwitcher />
      <button type="button" className={classes.searchButton} data-tour="search" onClick={onSearch}>
        <IconSearch size={15} stroke={1.6} />
        <span>Search</span>
        <Kbd>{`${modKey}K`}</Kbd>
      </button>
      <div className={classes.places}>
        {places.map((p) => (
          <PlaceLink key={p.to} place={p} badge={p.to === "/alerts" ? firing : 0} />
        ))}
      </div>
      <PinnedSpaces />
      <div className={classes.bottom}>
        <PlaceLink place={sendData} />
        <PlaceLink place={settings} />
        <HelpLink className={classes.place ?? ""} size={17} />
        <UserMenu />
      </div>
    </nav>
  );
}

function PlaceLink({ place, badge = 0 }: { place: Place; badge?: number }) {
  const Icon = place.icon;
  const here = isIn(useLocation().pathname, place.to);
  return (
    <Link
      to={place.to}
      className={classes.place}
      data-tour={place.to}
      data-active={here || undefined}
      activeProps={{ "data-active": true, "aria-current": "page" } as never}
      activeOptions={{ includeSearch: false }}
      title={place.label}
    >
      <Icon size={17} stroke={1.6} />
      <span>{place.label}</span>
      {badge > 0 && (
        <span className={classes.badge}>
          {badge}
          <span className="sr"> firing</span>
        </span>
      )}
    </Link>
  );
}

/** The documentation, beside the page it is about. */
export function HelpLink({ className, size }: { className: string; size: number }) {
  const Icon = help.icon;
  return (
    <a href={help.href} target="_blank" rel="noreferrer" className={className} title={help.label}>
      <Icon size={size} stroke={1.6} />
      <span>{help.label}</span>
    </a>
  );
}

function PinnedSpaces() {
  const { data } = useQuery(spaces.all);
  const pinned = data?.spaces.filter((s) => s.pinned) ?? [];
  if (pinned.length === 0) return null;
  return (
    <div className={classes.pinned}>
      <p>Pinned spaces</p>
      {pinned.map((s) => (
        <Link
          key={s.id}
          to="/spaces/$id"
          params={{ id: String(s.id) }}
          className={classes.pin}
          activeProps={{ "data-active": true } as never}
          activeOptions={{ includeSearch: false }}
        >
          <span className={classes.pinDot} />
          <span className="cut">{s.name}</span>
        </Link>
      ))}
    </div>
  );
}

export function OrgSwitcher() {
  const { org, orgs, canManage, operator } = useSession();
  const [making, setMaking] = useState(false);
  // A fresh page: nothing of the one organization is left when the other is looked at.
  const change = (id: number) => goTo(inOrg("/", id));
  const remove = async () => {
    const { deleteDemo } = await import("./demo");
    if (await deleteDemo(org.name)) goTo("/");
  };
  const places: MenuItem[] = orgs.map((o) => ({
    label: o.name,
    checked: o.id === org.id,
    run: () => void (o.id !== org.id && change(o.id)),
  }));
  if (operator) places.push("line", { label: "New organization…", run: () => setMaking(true) });
  if (org.demo && canManage) places.push("line", { label: "Delete the demo…", danger: true, run: () => void remove() });
  return (
    <>
      <Menu
        label="Organizations"
        align="start"
        items={places}
        target={(p) => (
          <button type="button" className={classes.org} {...p}>
            <Mark />
            <span className="cut">{org.name}</span>
            {places.length > 1 && <IconSelector size={14} stroke={1.6} />}
          </button>
        )}
      />
      {making && (
        <Suspense fallback={null}>
          <NewOrg close={() => setMaking(false)} />
        </Suspense>
      )}
    </>
  );
}

const schemes = { auto: "as the system", light: "light", dark: "dark" } as const;

export function UserMenu() {
  const { operator, user } = useSession();
  const navigate = useNavigate();
  const chosen = useSyncExternalStore(scheme.watch, scheme.choice);
  const next = chosen === "auto" ? "light" : chosen === "light" ? "dark" : "auto";
  const leave = async () => {
    try {
      await signOut();
      // Whoever sits here next must not read of the alerts of the one before.
      await (await import("../push/subscription")).unsubscribe().catch(() => undefined);
      goTo("/signin");
    } catch (err) {
      toast((err as Error).message, { tone: "error" });
    }
  };
  return (
    <Menu
      label="You"
      align="start"
      items={[
        {
          label: "Profile and sessions",
          icon: <IconUser size={15} stroke={1.6} />,
          run: () => void navigate({ to: "/settings/sessions" }),
        },
        // A fresh page: it belongs to no organization.
        ...(operator
          ? [
              {
                label: "Operator: limits",
                icon: <IconServerCog size={15} stroke={1.6} />,
                run: () => goTo("/operator/limits"),
              },
              {
                label: "Operator: machines",
                icon: <IconServer size={15} stroke={1.6} />,
                run: () => goTo("/operator/machines"),
              },
            ]
          : []),
        {
          label: `Colours: ${schemes[chosen]}`,
          icon: <IconMoonStars size={15} stroke={1.6} />,
          run: () => scheme.choose(next),
        },
        { label: "Take the tour", icon: <IconMap2 size={15} stroke={1.6} />, run: () => showTour(0) },
        "line",
        { label: "Sign out", icon: <IconLogout size={15} stroke={1.6} />, run: () => void leave() },
      ]}
      target={(p) => (
        <button type="button" className={classes.user} {...p}>
          <span className={classes.avatar} aria-hidden>
            {(user.name || user.email).slice(0, 2).toUpperCase()}
          </span>
          <span className="cut">{user.name || user.email}</span>
        </button>
      )}
    />
  );
}
