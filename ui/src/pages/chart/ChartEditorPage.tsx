import { Page } from "../../components/Page";

export function ChartEditorPage() {
  return <Page title="Chart">This page is being built.</Page>;
}

export function NewChartPage() {
  return <Page title="Chart">This page is being built.</Page>;
}
