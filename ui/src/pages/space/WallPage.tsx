import { Page } from "../../components/Page";

export function WallPage() {
  return <Page title="Wall">This page is being built.</Page>;
}
