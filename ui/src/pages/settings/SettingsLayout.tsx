import { Outlet } from "@tanstack/react-router";
import { Page } from "../../components/Page";

export function SettingsLayout() {
  return (
    <Page title="Organization settings">
      <Outlet />
    </Page>
  );
}
