import { Page } from "../../components/Page";

export function AlertsPage() {
  return <Page title="Alerts">This page is being built.</Page>;
}
