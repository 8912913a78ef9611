import { Page } from "../../components/Page";

export function AnnotationsPage() {
  return <Page title="Annotations">This page is being built.</Page>;
}
