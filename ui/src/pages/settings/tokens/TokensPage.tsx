import { Page } from "../../../components/Page";

export function TokensPage() {
  return <Page title="API Tokens">This page is being built.</Page>;
}
