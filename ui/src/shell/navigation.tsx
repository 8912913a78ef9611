import {
  IconBell,
  IconChartLine,
  IconCompass,
  IconFlag,
  IconHelp,
  IconLayoutGrid,
  IconPlug,
  IconSettings,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { withPrefix } from "../lib/prefix";

export type Place = {
  to: "/spaces" | "/explore" | "/metrics" | "/alerts" | "/annotations" | "/send" | "/settings" | "/settings/tokens";
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  key?: string;
};

/** The five places, in their order. */
export const places: Place[] = [
  { to: "/spaces", label: "Spaces", icon: IconLayoutGrid, key: "s" },
  { to: "/explore", label: "Explore", icon: IconCompass, key: "e" },
  { to: "/metrics", label: "Metrics", icon: IconChartLine, key: "m" },
  { to: "/alerts", label: "Alerts", icon: IconBell, key: "a" },
  { to: "/annotations", label: "Annotations", icon: IconFlag, key: "n" },
];

/** What stands under Alerts, as tabs; each with its noun in the API. */
export const alertPages = [
  { to: "/alerts", label: "Alerts", noun: "alerts" },
  { to: "/objectives", label: "Objectives", noun: "objectives", key: "o" },
  { to: "/checks", label: "Checks", noun: "checks" },
  { to: "/maintenance", label: "Maintenance", noun: "maintenance", key: "w" },
] as const;

/** Whether a path is that of a page with these tabs. */
export const hasTabs = (path: string): boolean => alertPages.some((p) => p.to === path);

/** Whether a page belongs to a place of the sidebar. */
export const isIn = (path: string, place: string): boolean =>
  (place === "/alerts" && (hasTabs(path) || path.startsWith("/objectives/"))) ||
  (place === "/spaces" && path.startsWith("/playlists"));

export const sendData: Place = { to: "/send", label: "Send data", icon: IconPlug };
export const settings: Place = { to: "/settings", label: "Settings", icon: IconSettings };
/** The documents that the server carries; no page of the interface. */
export const help = { href: withPrefix("/docs/"), label: "Help", icon: IconHelp };
