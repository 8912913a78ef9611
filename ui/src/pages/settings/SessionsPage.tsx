import { Page } from "../../components/Page";

export function SessionsPage() {
  return <Page title="Sessions">This page is being built.</Page>;
}
