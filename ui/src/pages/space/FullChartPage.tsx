import { Page } from "../../components/Page";

export function FullChartPage() {
  return <Page title="Chart">This page is being built.</Page>;
}
