import { Page } from "../../components/Page";

export function ExplorePage() {
  return <Page title="Explore">This page is being built.</Page>;
}
