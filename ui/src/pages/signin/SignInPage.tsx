import { Page } from "../../components/Page";

export function SignInPage() {
  return <Page title="Sign in">This page is being built.</Page>;
}
