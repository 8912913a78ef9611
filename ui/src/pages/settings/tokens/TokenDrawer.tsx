import { Page } from "../../../components/Page";

export function TokenDrawer() {
  return <Page title="Token">This page is being built.</Page>;
}

export function DeleteTokenDrawer() {
  return <Page title="Token">This page is being built.</Page>;
}
