import { Page } from "../../components/Page";

export function AlertPage() {
  return <Page title="Alert">This page is being built.</Page>;
}
