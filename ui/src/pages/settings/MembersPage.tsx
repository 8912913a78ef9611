import { Page } from "../../components/Page";

export function MembersPage() {
  return <Page title="Members">This page is being built.</Page>;
}
