import type { TokenRole } from "../api/tokens";

/** The three roles of tokens, in the order people should consider them. */
export type RoleText = {
  role: TokenRole;
  title: string;
  /** What it is for, in two words. */
  brief: string;
  detail: string;
};

export const roles: RoleText[] = [
  {
    role: "recorder",
    title: "Record Only",
    brief: "Sends data",
    detail: "Sends measurements and annotations, reads metric data. Cannot see alerts, spaces, services or tokens.",
  },
  {
    role: "viewer",
    title: "View Only",
    brief: "Reads",
    detail:
      "Reads metrics, spaces, alerts and annotations. Cannot send or change anything, nor see tokens or service secrets.",
  },
  {
    role: "admin",
    title: "Full Access",
    brief: "Everything",
    detail: "Everything, including creating and deleting tokens.",
  },
];

export const roleText = (role: TokenRole): RoleText => roles.find((r) => r.role === role) ?? (roles[0] as RoleText);
