import {
  IconBell,
  IconBrandAws,
  IconBrandDiscord,
  IconBrandSlack,
  IconBrandTeams,
  IconBrandTelegram,
  IconDeviceMobileMessage,
  IconMail,
  IconMessage,
  IconSend,
  IconTicket,
  IconWebhook,
} from "@tabler/icons-react";

const icons: Record<string, typeof IconSend> = {
  mail: IconMail,
  slack: IconBrandSlack,
  msteams: IconBrandTeams,
  discord: IconBrandDiscord,
  telegram: IconBrandTelegram,
  googlechat: IconMessage,
  matrix: IconMessage,
  webhook: IconWebhook,
  webhook_json: IconWebhook,
  alertmanager: IconWebhook,
  pagerduty: IconBell,
  opsgenie: IconBell,
  victorops: IconBell,
  bigpanda: IconBell,
  pushover: IconDeviceMobileMessage,
  gotify: IconDeviceMobileMessage,
  ntfy: IconDeviceMobileMessage,
  sns: IconBrandAws,
  jira: IconTicket,
};

/** What kind of destination this is. The word always stands beside it. */
export function ServiceIcon({ type, size = 17 }: { type: string; size?: number }) {
  const Icon = icons[type] ?? IconSend;
  return <Icon size={size} stroke={1.6} aria-hidden style={{ flex: "none" }} />;
}
