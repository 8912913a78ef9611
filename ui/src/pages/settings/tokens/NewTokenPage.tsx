import { Page } from "../../../components/Page";

export function NewTokenPage() {
  return <Page title="Generate New API Token">This page is being built.</Page>;
}
