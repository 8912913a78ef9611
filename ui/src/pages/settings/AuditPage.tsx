import { Page } from "../../components/Page";

export function AuditPage() {
  return <Page title="Audit">This page is being built.</Page>;
}
