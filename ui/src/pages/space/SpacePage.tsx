import { Page } from "../../components/Page";

export function SpacePage() {
  return <Page title="Space">This page is being built.</Page>;
}
