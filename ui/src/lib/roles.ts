import type { TokenRole } from "../api/tokens";

/** The three roles of tokens, in the order people should consider them. */
export type RoleText = {
  role: TokenRole;
  title: string;
  aside?: string;
  sentence: string;
  detail: string;
  can: string[];
  cannot: string[];
  warning?: string;
};

export const roles: RoleText[] = [
  {
    role: "recorder",
    title: "Record Only",
    aside: "most tokens should be this",
    sentence: "For agents, collectors and libraries that send data.",
    detail: "Sends measurements and annotations, reads metric data. Cannot see alerts, spaces, services or tokens.",
    can: ["Send measurements and annotations", "Read metrics and measurements"],
    cannot: ["See alerts, spaces, services or tokens", "Delete anything"],
  },
  {
    role: "viewer",
    title: "View Only",
    sentence: "For wall displays, reports and exports.",
    detail:
      "Reads metrics, spaces, alerts and annotations. Cannot send or change anything, nor see tokens or service secrets.",
    can: ["Read metrics, spaces, alerts and annotations"],
    cannot: ["Send or change anything", "See tokens or service secrets"],
  },
  {
    role: "admin",
    title: "Full Access",
    sentence: "For Terraform and administration scripts.",
    detail: "Everything, including creating and deleting tokens.",
    can: ["Everything, including creating and deleting tokens"],
    cannot: [],
    warning: "Whoever holds it owns the organization’s data",
  },
];

export const roleText = (role: TokenRole): RoleText => roles.find((r) => r.role === role) ?? (roles[0] as RoleText);
