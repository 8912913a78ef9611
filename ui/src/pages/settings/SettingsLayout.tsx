import { IconPlus } from "@tabler/icons-react";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { Page } from "../../components/Page";
import classes from "../../components/settingsPages.module.css";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";

const places = [
  { to: "/settings/general", label: "General" },
  { to: "/settings/members", label: "Members" },
  { to: "/settings/tokens", label: "API Tokens", manage: true },
  { to: "/settings/services", label: "Notification Services" },
  { to: "/settings/usage", label: "Limits and usage" },
  { to: "/settings/sessions", label: "Profile and sessions" },
  { to: "/settings/notifications", label: "Your notifications" },
  { to: "/settings/security", label: "Security" },
  { to: "/settings/deleted", label: "Recently deleted" },
  { to: "/settings/audit", label: "Audit log", manage: true },
  { to: "/send", label: "Protocols and agents" },
];

/** The settings: a list of places left, the place right. What a role can never do is absent. */
export function SettingsLayout() {
  const { canManage } = useSession();
  const { pathname } = useLocation();
  const phone = usePhone();
  const here = places.find((p) => pathname.startsWith(p.to));
  const atHome = pathname === "/settings" || pathname === "/settings/";
  return (
    <Page
      title={phone && here ? here.label : "Organization settings"}
      {...(!atHome && { parent: { to: "/settings", label: "Settings" } })}
      tools={
        phone &&
        canManage &&
        pathname === "/settings/tokens" && (
          <Link to="/settings/tokens/new" className={classes.plus} aria-label="Generate New API Token">
            <IconPlus size={21} stroke={1.6} />
          </Link>
        )
      }
    >
      <div className={classes.frame} data-home={atHome}>
        <nav className={classes.nav} aria-label="Settings">
          {places
            .filter((p) => canManage || !p.manage)
            .map((p) => (
              <Link key={p.to} to={p.to} data-active={pathname.startsWith(p.to)}>
                {p.label}
              </Link>
            ))}
        </nav>
        <div>
          <Outlet />
        </div>
      </div>
    </Page>
  );
}
