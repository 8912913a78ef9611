import { Page } from "../../components/Page";

export function ServicesPage() {
  return <Page title="Services">This page is being built.</Page>;
}
