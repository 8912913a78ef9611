import { Page } from "../../components/Page";

export function SetupPage() {
  return <Page title="Set up">This page is being built.</Page>;
}
