import { Page } from "../../components/Page";

export function SpacesPage() {
  return <Page title="Spaces">This page is being built.</Page>;
}
