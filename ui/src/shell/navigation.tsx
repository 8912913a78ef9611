import {
  IconBell,
  IconChartLine,
  IconCompass,
  IconFlag,
  IconLayoutGrid,
  IconPlug,
  IconSettings,
} from "@tabler/icons-react";
import type { ComponentType } from "react";

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

export const sendData: Place = { to: "/send", label: "Send data", icon: IconPlug };
export const settings: Place = { to: "/settings", label: "Settings", icon: IconSettings };
