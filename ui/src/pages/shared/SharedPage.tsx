import { Page } from "../../components/Page";

export function SharedPage() {
  return <Page title="Shared">This page is being built.</Page>;
}
