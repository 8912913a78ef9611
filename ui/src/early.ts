import { askEarly } from "./api/early";
import { inOrg, isOutside, splitOrg } from "./lib/org";
import { withoutPrefix } from "./lib/prefix";

/**
 * Runs before everything else and needs nothing of it. What a page needs would
 * come one after the other, the session after the scripts, the page after the
 * session, its data after the page: on a slow line that is most of the time. So
 * all of it is asked for at once, for the pages that people come to from outside.
 */
type Page = {
  path: RegExp;
  load: () => Promise<unknown>;
  /** What draws is not needed to ask for what is drawn. */
  draw?: () => Promise<unknown>;
  data?: (id: string) => string[];
};

const pages: Page[] = [
  { path: /^\/$/, load: () => import("./pages/home/HomePage") },
  { path: /^\/spaces$/, load: () => import("./pages/spaces/SpacesPage") },
  {
    path: /^\/spaces\/(\d+)$/,
    load: () => import("./pages/space/SpacePage"),
    draw: () => import("./chart/LineView"),
    data: (id) => [`/v1/spaces/${id}`, `/v1/spaces/${id}/charts`, `/ui/api/spaces/${id}/layout`],
  },
  { path: /^\/explore$/, load: () => import("./pages/explore/ExplorePage") },
  { path: /^\/alerts$/, load: () => import("./pages/alerts/AlertsPage") },
  { path: /^\/alerts\/(\d+)$/, load: () => import("./pages/alerts/AlertPage") },
];

/**
 * Runs something once a part of the page is there. Scripts share a line: when
 * the second largest is there, the largest takes about as long as a request.
 */
function onceThere(part: string, run: () => Promise<unknown>): void {
  const link = document.querySelector(`link[data-part="${part}"]`);
  link?.addEventListener("load", () => run().catch(() => undefined), { once: true });
}

/** The organization that an address without one leads to. */
async function lastOrg(session: Promise<Response>): Promise<string> {
  const answer = (await session).clone();
  if (!answer.ok) throw new Error(`no session: ${answer.status}`);
  return String(((await answer.json()) as { org: { id: number } }).org.id);
}

async function begin(): Promise<void> {
  const { org, rest } = splitOrg(withoutPrefix(window.location.pathname));
  if (isOutside(rest)) return;
  const session = askEarly(inOrg("/ui/api/session", org));
  for (const { path, load, draw, data } of pages) {
    const found = path.exec(rest);
    if (!found) continue;
    load().catch(() => undefined);
    if (draw) onceThere("vendor", draw);
    if (!data) continue;
    const of = org || (await lastOrg(session));
    for (const wanted of data(found[1] ?? "")) askEarly(inOrg(wanted, of));
  }
}

// Whoever needs one of them later asks again, and says what is wrong.
begin().catch(() => undefined);
