import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouteContext,
} from "@tanstack/react-router";
import { type ComponentType, lazy, Suspense } from "react";
import { ApiError } from "./api/client";
import { sessionQuery } from "./api/session";
import { ConfirmLayer } from "./components/ConfirmLayer";
import { Failed, FailedOutside, Missing } from "./components/Failed";
import { StillWorking } from "./components/StillWorking";
import { rewrite, tabOrg } from "./lib/org";
import { withoutPrefix } from "./lib/prefix";
import { only, parseSearch, stringifySearch, withTags } from "./lib/search";
import { later } from "./lib/spare";
import { ProveAgain } from "./security/ProveAgain";
import { Bare } from "./shell/Bare";
import { Shell } from "./shell/Shell";
import { Toasts } from "./toasts/Toasts";

const NotMember = lazy(() => import("./shell/NotMember"));
const TipLayer = later(() => import("./components/Tip"));

/**
 * The table of pages, each with the type of its search parameters. Paths, and
 * links to them, are written without the organization: lib/org.ts puts /o/7
 * before those of the shell and takes it off again.
 */

type Context = { client: QueryClient };

const root = createRootRouteWithContext<Context>()({
  component: () => (
    <>
      <Outlet />
      <Toasts />
      <ConfirmLayer />
      <TipLayer />
      <ProveAgain />
      <StillWorking />
    </>
  ),
  notFoundComponent: Missing,
});

/** Without a session the sign-in page is shown first, and leads back afterwards. */
type Entering = { context: Context; location: { publicHref: string }; preload: boolean };
async function recognized({ context, location }: Entering): Promise<void> {
  try {
    const session = await context.client.ensureQueryData(sessionQuery);
    if (session.must_enrol) throw redirect({ to: "/enrol", search: { next: withoutPrefix(location.publicHref) } });
  } catch (err) {
    if (err instanceof ApiError && err.status === 401)
      throw redirect({ to: "/signin", search: { next: withoutPrefix(location.publicHref) } });
    throw err;
  }
}
async function signedIn(entering: Entering): Promise<{ isMember: boolean }> {
  const { location, preload } = entering;
  try {
    await recognized(entering);
  } catch (err) {
    if (err instanceof ApiError && err.status === 403) return { isMember: false };
    throw err;
  }
  // From a page outside into one inside: a fresh page, which finds out whose it is.
  if (!tabOrg() && !preload) {
    window.location.replace(location.publicHref);
    await new Promise(() => undefined);
  }
  return { isMember: true };
}

/** The pages of an organization are for its members. */
const forMembers = (Frame: ComponentType) =>
  function Members() {
    const isMember = useRouteContext({ strict: false, select: (c) => (c as { isMember?: boolean }).isMember });
    return isMember ? (
      <Frame />
    ) : (
      <Suspense fallback={null}>
        <NotMember />
      </Suspense>
    );
  };

const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: forMembers(Shell),
  beforeLoad: signedIn,
});
const bare = createRoute({
  getParentRoute: () => root,
  id: "bare",
  component: forMembers(Bare),
  beforeLoad: signedIn,
});

const operator = createRoute({
  getParentRoute: () => root,
  id: "operator",
  component: lazyRouteComponent(() => import("./shell/OperatorShell"), "OperatorShell"),
  beforeLoad: recognized,
});

const inShell = () => shell;
const inBare = () => bare;
const outside = () => root;
const page = lazyRouteComponent;
const home = createRoute({
  getParentRoute: inShell,
  path: "/",
  component: page(() => import("./pages/home/HomePage"), "HomePage"),
});
const more = createRoute({
  getParentRoute: inShell,
  path: "/more",
  component: page(() => import("./pages/home/MorePage"), "MorePage"),
});

const spaces = createRoute({
  getParentRoute: inShell,
  path: "/spaces",
  validateSearch: only("q", "tag", "owner", "sort"),
  component: page(() => import("./pages/spaces/SpacesPage"), "SpacesPage"),
});
const space = createRoute({
  getParentRoute: inShell,
  path: "/spaces/$id",
  validateSearch: withTags("from", "to", "compare", "group", "share", "chart"),
  component: page(() => import("./pages/space/SpacePage"), "SpacePage"),
});
const wall = createRoute({
  getParentRoute: inBare,
  path: "/spaces/$id/wall",
  validateSearch: withTags("from", "to", "compare", "group"),
  component: page(() => import("./pages/space/WallPage"), "WallPage"),
});
const spaceHistory = createRoute({
  getParentRoute: inShell,
  path: "/spaces/$id/history",
  validateSearch: withTags("from", "to", "group", "view"),
  component: page(() => import("./pages/space/history/SpaceHistoryPage"), "SpaceHistoryPage"),
});
const spaceSave = createRoute({
  getParentRoute: inShell,
  path: "/spaces/$id/history/$save",
  validateSearch: withTags("from", "to", "group", "view"),
  component: page(() => import("./pages/space/history/SpaceHistoryPage"), "SpaceHistoryPage"),
});
const playlists = createRoute({
  getParentRoute: inShell,
  path: "/playlists",
  component: page(() => import("./pages/space/playlists/PlaylistsPage"), "PlaylistsPage"),
});
const playlist = createRoute({
  getParentRoute: inShell,
  path: "/playlists/$id",
  component: page(() => import("./pages/space/playlists/PlaylistPage"), "PlaylistPage"),
});
const play = createRoute({
  getParentRoute: inBare,
  path: "/playlists/$id/play",
  component: page(() => import("./pages/space/playlists/PlayPage"), "PlayPage"),
});
const fullChart = createRoute({
  getParentRoute: inBare,
  path: "/spaces/$id/charts/$chart",
  validateSearch: withTags("from", "to", "compare", "group", "view"),
  component: page(() => import("./pages/space/FullChartPage"), "FullChartPage"),
});
const editChart = createRoute({
  getParentRoute: inBare,
  path: "/spaces/$id/charts/$chart/edit",
  validateSearch: withTags("from", "to", "compare", "group"),
  component: page(() => import("./pages/chart/ChartEditorPage"), "ChartEditorPage"),
});
const newChart = createRoute({
  getParentRoute: inBare,
  path: "/spaces/$id/charts/new",
  validateSearch: withTags("from", "to", "compare", "group", "metric", "composite"),
  component: page(() => import("./pages/chart/ChartEditorPage"), "NewChartPage"),
});
const shared = createRoute({
  getParentRoute: outside,
  path: "/s/$key",
  validateSearch: withTags("from", "to", "compare", "group"),
  component: page(() => import("./pages/space/SharedPage"), "SharedPage"),
  errorComponent: FailedOutside,
});
const sharedWall = createRoute({
  getParentRoute: outside,
  path: "/s/$key/wall",
  component: page(() => import("./pages/space/playlists/SharedWallPage"), "SharedWallPage"),
  errorComponent: FailedOutside,
});

const explore = createRoute({
  getParentRoute: inShell,
  path: "/explore",
  validateSearch: withTags(
    "q",
    "metric",
    "view",
    "from",
    "to",
    "compare",
    "group",
    "summary",
    "lines",
    "transform",
    "streams",
    "unit",
    "hidden",
    "brush",
    "against",
    "without",
  ),
  component: page(() => import("./pages/explore/ExplorePage"), "ExplorePage"),
});
const metrics = createRoute({
  getParentRoute: inShell,
  path: "/metrics",
  validateSearch: withTags(
    "q",
    "name",
    "group",
    "summary",
    "lines",
    "transform",
    "streams",
    "from",
    "to",
    "compare",
    "sort",
    "dialog",
  ),
  component: page(() => import("./pages/metrics/MetricsPage"), "MetricsPage"),
});

const alerts = createRoute({
  getParentRoute: inShell,
  path: "/alerts",
  validateSearch: only("state", "q", "severity", "label", "service", "maintenance"),
  component: page(() => import("./pages/alerts/AlertsPage"), "AlertsPage"),
});
const checks = createRoute({
  getParentRoute: inShell,
  path: "/checks",
  component: page(() => import("./pages/checks/ChecksPage"), "ChecksPage"),
});
const objectives = createRoute({
  getParentRoute: inShell,
  path: "/objectives",
  component: page(() => import("./pages/objectives/ObjectivesPage"), "ObjectivesPage"),
});
const objective = createRoute({
  getParentRoute: inShell,
  path: "/objectives/$id",
  component: page(() => import("./pages/objectives/ObjectivePage"), "ObjectivePage"),
});
const maintenance = createRoute({
  getParentRoute: inShell,
  path: "/maintenance",
  validateSearch: only("week", "view", "alerts"),
  component: page(() => import("./pages/maintenance/MaintenancePage"), "MaintenancePage"),
});
const newAlert = createRoute({
  getParentRoute: inBare,
  path: "/alerts/new",
  validateSearch: withTags("metric", "group", "summary"),
  component: page(() => import("./pages/alerts/AlertEditorPage"), "NewAlertPage"),
});
const alert = createRoute({
  getParentRoute: inShell,
  path: "/alerts/$id",
  validateSearch: only("from", "to", "compare", "delivery", "incident"),
  component: page(() => import("./pages/alerts/AlertPage"), "AlertPage"),
});
const editAlert = createRoute({
  getParentRoute: inBare,
  path: "/alerts/$id/edit",
  component: page(() => import("./pages/alerts/AlertEditorPage"), "AlertEditorPage"),
});

const annotations = createRoute({
  getParentRoute: inShell,
  path: "/annotations",
  validateSearch: only("from", "to", "q"),
  component: page(() => import("./pages/annotations/AnnotationsPage"), "AnnotationsPage"),
});
const annotationStream = createRoute({
  getParentRoute: inShell,
  path: "/annotations/$name",
  validateSearch: only("from", "to", "q", "event"),
  component: page(() => import("./pages/annotations/AnnotationsPage"), "AnnotationsPage"),
});
const send = createRoute({
  getParentRoute: inShell,
  path: "/send",
  validateSearch: only("tab"),
  component: page(() => import("./pages/send/SendPage"), "SendPage"),
});

const settings = createRoute({
  getParentRoute: inShell,
  path: "/settings",
  component: page(() => import("./pages/settings/SettingsLayout"), "SettingsLayout"),
});
const inSettings = () => settings;
const settingsHome = createRoute({
  getParentRoute: inSettings,
  path: "/",
  component: page(() => import("./pages/settings/SettingsHome"), "SettingsHome"),
});
const tokens = createRoute({
  getParentRoute: inSettings,
  path: "/tokens",
  validateSearch: only("q", "status", "sort"),
  component: page(() => import("./pages/settings/tokens/TokensPage"), "TokensPage"),
});
const newToken = createRoute({
  getParentRoute: inSettings,
  path: "/tokens/new",
  component: page(() => import("./pages/settings/tokens/NewTokenPage"), "NewTokenPage"),
});
const token = createRoute({
  getParentRoute: () => tokens,
  path: "/$id",
  component: page(() => import("./pages/settings/tokens/TokenDrawer"), "TokenDrawer"),
});
const deleteToken = createRoute({
  getParentRoute: () => tokens,
  path: "/$id/delete",
  component: page(() => import("./pages/settings/tokens/DeleteTokenDrawer"), "DeleteTokenDrawer"),
});
const rotateToken = createRoute({
  getParentRoute: inSettings,
  path: "/tokens/$id/rotate",
  component: page(() => import("./pages/settings/tokens/RotatePage"), "RotatePage"),
});
const general = createRoute({
  getParentRoute: inSettings,
  path: "/general",
  component: page(() => import("./pages/settings/GeneralPage"), "GeneralPage"),
});
const members = createRoute({
  getParentRoute: inSettings,
  path: "/members",
  component: page(() => import("./pages/settings/MembersPage"), "MembersPage"),
});
const services = createRoute({
  getParentRoute: inSettings,
  path: "/services",
  validateSearch: only("open", "q"),
  component: page(() => import("./pages/settings/ServicesPage"), "ServicesPage"),
});
const usage = createRoute({
  getParentRoute: inSettings,
  path: "/usage",
  component: page(() => import("./pages/settings/UsagePage"), "UsagePage"),
});
const sessions = createRoute({
  getParentRoute: inSettings,
  path: "/sessions",
  component: page(() => import("./pages/settings/SessionsPage"), "SessionsPage"),
});
const notifications = createRoute({
  getParentRoute: inSettings,
  path: "/notifications",
  component: page(() => import("./pages/settings/NotificationsPage"), "NotificationsPage"),
});
const deleted = createRoute({
  getParentRoute: inSettings,
  path: "/deleted",
  component: page(() => import("./pages/settings/DeletedPage"), "DeletedPage"),
});
const security = createRoute({
  getParentRoute: inSettings,
  path: "/security",
  component: page(() => import("./pages/settings/SecurityPage"), "SecurityPage"),
});
const audit = createRoute({
  getParentRoute: inSettings,
  path: "/audit",
  validateSearch: only("q", "who", "from", "did", "days", "before"),
  component: page(() => import("./pages/settings/AuditPage"), "AuditPage"),
});
const oldTokens = createRoute({
  getParentRoute: inShell,
  path: "/organization/tokens",
  beforeLoad: () => {
    throw redirect({ to: "/settings/tokens" });
  },
});

/** People who are signed in keep the sidebar where an address leads nowhere. */
const missing = createRoute({ getParentRoute: inShell, path: "$", component: Missing });

const signin = createRoute({
  getParentRoute: outside,
  path: "/signin",
  validateSearch: only("next", "error"),
  component: page(() => import("./pages/signin/SignInPage"), "SignInPage"),
});
const secondStep = createRoute({
  getParentRoute: outside,
  path: "/signin/second",
  validateSearch: only("next"),
  component: page(() => import("./pages/signin/SecondStepPage"), "SecondStepPage"),
});
const enrol = createRoute({
  getParentRoute: outside,
  path: "/enrol",
  validateSearch: only("next"),
  component: page(() => import("./pages/signin/EnrolPage"), "EnrolPage"),
});
const setup = createRoute({
  getParentRoute: outside,
  path: "/setup/$key",
  component: page(() => import("./pages/signin/SetupPage"), "SetupPage"),
});
const forgot = createRoute({
  getParentRoute: outside,
  path: "/reset",
  component: page(() => import("./pages/signin/ResetPage"), "ForgotPage"),
});
const reset = createRoute({
  getParentRoute: outside,
  path: "/reset/$key",
  component: page(() => import("./pages/signin/ResetPage"), "ResetPage"),
});
const invite = createRoute({
  getParentRoute: outside,
  path: "/invite/$key",
  component: page(() => import("./pages/signin/InvitePage"), "InvitePage"),
});
const operatorMachines = createRoute({
  getParentRoute: () => operator,
  path: "/operator/machines",
  component: page(() => import("./pages/operator/MachinesPage"), "MachinesPage"),
});
const operatorLimits = createRoute({
  getParentRoute: () => operator,
  path: "/operator/limits",
  validateSearch: only("q", "org"),
  component: page(() => import("./pages/operator/LimitsPage"), "LimitsPage"),
});
const acknowledge = createRoute({
  getParentRoute: outside,
  path: "/acknowledge/$key",
  component: page(() => import("./pages/signin/AcknowledgePage"), "AcknowledgePage"),
});

const tree = root.addChildren([
  shell.addChildren([
    home,
    more,
    spaces,
    space,
    spaceHistory,
    spaceSave,
    playlists,
    playlist,
    explore,
    metrics,
    alerts,
    checks,
    objectives,
    objective,
    maintenance,
    alert,
    annotations,
    annotationStream,
    send,
    settings.addChildren([
      settingsHome,
      tokens.addChildren([token, deleteToken]),
      newToken,
      rotateToken,
      general,
      members,
      services,
      usage,
      sessions,
      notifications,
      deleted,
      security,
      audit,
    ]),
    oldTokens,
    missing,
  ]),
  bare.addChildren([wall, play, newChart, fullChart, editChart, newAlert, editAlert]),
  operator.addChildren([operatorMachines, operatorLimits]),
  shared,
  sharedWall,
  signin,
  secondStep,
  enrol,
  setup,
  forgot,
  reset,
  invite,
  acknowledge,
]);

export function makeRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    rewrite,
    context: { client },
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultPreloadDelay: 40,
    scrollRestoration: true,
    defaultPendingMs: 150,
    // Of each route by itself: what a page is in stays when the page crashes.
    defaultErrorComponent: Failed,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
