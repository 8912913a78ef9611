import { Page } from "../../components/Page";

export function SendPage() {
  return <Page title="Send data">This page is being built.</Page>;
}
