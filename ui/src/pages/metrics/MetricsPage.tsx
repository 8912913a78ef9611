import { Page } from "../../components/Page";

export function MetricsPage() {
  return <Page title="Metrics">This page is being built.</Page>;
}
