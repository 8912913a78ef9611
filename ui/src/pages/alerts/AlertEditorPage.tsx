import { Page } from "../../components/Page";

export function NewAlertPage() {
  return <Page title="New alert">This page is being built.</Page>;
}

export function AlertEditorPage() {
  return <Page title="New alert">This page is being built.</Page>;
}
