import { IconChevronRight, IconKey } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Page } from "../../components/Page";
import { Panel } from "../../components/Panel";
import { places, sendData, settings } from "../../shell/navigation";
import { HelpLink, OrgSwitcher, UserMenu } from "../../shell/Sidebar";
import { useSession } from "../../shell/useSession";
import classes from "./More.module.css";

/** What does not fit into a phone's bottom bar. */
export function MorePage() {
  const { canManage } = useSession();
  const rest = [
    ...places.slice(4),
    sendData,
    settings,
    ...(canManage ? [{ to: "/settings/tokens" as const, label: "API Tokens", icon: IconKey }] : []),
  ];
  return (
    <Page title="More">
      <Panel className={classes.list ?? ""}>
        <div className={classes.menu}>
          <OrgSwitcher />
        </div>
        {rest.map(({ to, label, icon: Icon }) => (
          <Link key={to} to={to} className={classes.item}>
            <Icon size={20} stroke={1.6} />
            <span>{label}</span>
            <IconChevronRight size={18} stroke={1.6} />
          </Link>
        ))}
        <HelpLink className={classes.item ?? ""} size={20} />
        <div className={classes.menu}>
          <UserMenu />
        </div>
      </Panel>
    </Page>
  );
}
