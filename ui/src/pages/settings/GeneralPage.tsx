import { Page } from "../../components/Page";

export function GeneralPage() {
  return <Page title="General">This page is being built.</Page>;
}
