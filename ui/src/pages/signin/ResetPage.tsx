import { Page } from "../../components/Page";

export function ResetPage() {
  return <Page title="Reset password">This page is being built.</Page>;
}

export function ForgotPage() {
  return <Page title="Reset password">This page is being built.</Page>;
}
