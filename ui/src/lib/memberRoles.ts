import type { Role } from "../api/session";

/** What members may do, in a sentence each. */
export const roles: { value: Role; label: string; sentence: string }[] = [
  { value: "admin", label: "Admin", sentence: "Everything, tokens, members and services’ secrets included." },
  { value: "member", label: "Member", sentence: "Everything but tokens, members and services’ secrets." },
  { value: "viewer", label: "Viewer", sentence: "Looks at everything but those, and changes nothing." },
];

export const roleOf = (role: Role) => roles.find((r) => r.value === role) ?? (roles[2] as (typeof roles)[number]);
