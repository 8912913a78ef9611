import { IconDownload, IconEye, IconKey } from "@tabler/icons-react";
import type { TokenRole } from "../../../api/tokens";
import classes from "../../../components/settingsPages.module.css";
import { roleText } from "../../../lib/roles";

const icons = { admin: IconKey, recorder: IconDownload, viewer: IconEye };

export function RoleIcon({ role, size = 15 }: { role: TokenRole; size?: number }) {
  const Icon = icons[role];
  return <Icon size={size} stroke={1.6} aria-hidden />;
}

export const RoleName = ({ role }: { role: TokenRole }) => (
  <span className={classes.icon}>
    <RoleIcon role={role} /> {roleText(role).title}
  </span>
);
