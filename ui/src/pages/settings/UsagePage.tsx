import { Page } from "../../components/Page";

export function UsagePage() {
  return <Page title="Usage">This page is being built.</Page>;
}
