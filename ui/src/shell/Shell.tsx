import { IconDots } from "@tabler/icons-react";
import { Link, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { switchOrg } from "../api/session";
import { loadOverlays } from "../components/overlays";
import { inOrg, showOrg, splitOrg, tabOrg } from "../lib/org";
import { withoutPrefix, withPrefix } from "../lib/prefix";
import { whenQuiet } from "../lib/whenQuiet";
import { undoToast } from "../toasts/toast";
import { alertPages, isIn, places } from "./navigation";
import { Offline } from "./Offline";
import classes from "./Shell.module.css";
import { Sidebar } from "./Sidebar";
import { SignInAgain } from "./SignInAgain";
import { listenToKeys, restKeys, useShortcuts } from "./shortcuts";
import { useFiring, useFiringWatch } from "./useFiring";
import { useSession } from "./useSession";
import { useTour } from "./useTour";

const Palette = lazy(() => import("./Palette"));
const Help = lazy(() => import("./Help"));
const Tour = lazy(() => import("./Tour"));
const folded = "tidemark.sidebar";

/** Keys and watchers that every signed-in page has, with or without the sidebar. */
export function useShell() {
  const navigate = useNavigate();
  const [open, setOpen] = useState<"palette" | "help" | null>(null);
  const early = useRef("");
  const opener = useRef<Element>(null);
  const showPalette = () => {
    opener.current = document.activeElement;
    setOpen("palette");
  };
  useFiringWatch();
  useLastOrg();
  useShortName();
  useEffect(listenToKeys, []);
  useEffect(() => {
    whenQuiet(() => {
      loadOverlays();
      void import("./Palette").catch(() => undefined); // who leaves at once stops it
    });
  }, []);
  useEffect(() => restKeys(open !== null), [open]);
  useShortcuts([
    { keys: "mod+k", label: "Search", run: showPalette },
    {
      keys: "/",
      label: "Search on this page",
      run: () => document.querySelector<HTMLInputElement>("[data-page-search]")?.focus(),
    },
    { keys: "?", label: "These keys", run: () => setOpen("help") },
    ...places.map((p) => ({ keys: `g ${p.key}`, label: `Go to ${p.label}`, run: () => void navigate({ to: p.to }) })),
    ...alertPages.flatMap((p) =>
      "key" in p ? [{ keys: `g ${p.key}`, label: `Go to ${p.label}`, run: () => void navigate({ to: p.to }) }] : [],
    ),
    { keys: "g t", label: "Go to API Tokens", run: () => void navigate({ to: "/settings/tokens" }) },
    { keys: "mod+z", label: "Undo, while the note is up", run: () => undoToast() },
  ]);
  const close = () => {
    early.current = "";
    flushSync(() => setOpen(null));
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
  };
  const step = useTour();
  const layers = (
    <Suspense fallback={null}>
      {open === "palette" && (
        <Suspense fallback={<EarlyField typed={early} close={close} />}>
          <Palette close={close} typed={early} />
        </Suspense>
      )}
      {open === "help" && <Help close={() => setOpen(null)} />}
      {step !== undefined && <Tour step={step} />}
      <SignInAgain />
    </Suspense>
  );
  return { layers, search: showPalette };
}

/** Addresses that name no organization lead to the one that was opened last. */
function useLastOrg() {
  const { org, orgs } = useSession();
  const isNew = orgs.length > 1 && !org.last;
  useEffect(() => {
    if (isNew) void switchOrg(org.id).catch(() => undefined);
  }, [isNew, org.id]);
}

/** Addresses call the organization by its short name, if it has one. */
function useShortName() {
  const { org } = useSession();
  const name = org.short_name || String(org.id);
  useEffect(() => {
    const isOther = tabOrg() !== name;
    showOrg(name, org.id);
    if (!isOther) return;
    const { pathname, search, hash } = window.location;
    const { rest } = splitOrg(withoutPrefix(pathname));
    window.history.replaceState(window.history.state, "", withPrefix(inOrg(rest)) + search + hash);
  }, [name, org.id]);
}

/** Takes what is typed while the palette is on its way. */
function EarlyField({ typed, close }: { typed: RefObject<string>; close: () => void }) {
  return (
    <input
      className={classes.early}
      // biome-ignore lint/a11y/noAutofocus: it was opened to type
      autoFocus
      aria-label="Search"
      placeholder="Search"
      onChange={(e) => {
        typed.current = e.currentTarget.value;
      }}
      onKeyDown={(e) => e.key === "Escape" && close()}
    />
  );
}

/** Sidebar or bottom bar around the page. */
export function Shell() {
  const { layers, search } = useShell();
  const [isFolded, setFolded] = useState(() => localStorage.getItem(folded) === "yes");
  useShortcuts([
    {
      keys: "[",
      label: "Fold the sidebar",
      run: () => {
        localStorage.setItem(folded, isFolded ? "no" : "yes");
        setFolded(!isFolded);
      },
    },
  ]);
  // What could not be sent before this page was loaded is sent, whichever page it is.
  useEffect(() => {
    if (localStorage.getItem("waiting acknowledgements")) void import("./waiting");
  }, []);
  return (
    <div className={classes.shell} data-folded={isFolded}>
      <a href="#main" className="skip">
        Skip to content
      </a>
      <Sidebar onSearch={search} />
      <main id="main" className={classes.main} tabIndex={-1}>
        <Offline />
        <Outlet />
      </main>
      <BottomBar />
      {layers}
    </div>
  );
}

function BottomBar() {
  const firing = useFiring();
  const { pathname } = useLocation();
  const inMore = ["/more", "/annotations", "/send", "/settings"].some((p) => pathname.startsWith(p));
  return (
    <nav className={classes.bar} aria-label="Main">
      {places.slice(0, 4).map(({ to, label, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className={classes.barItem}
          data-tour={to}
          data-active={isIn(pathname, to) || undefined}
          activeProps={{ "data-active": true, "aria-current": "page" } as never}
          activeOptions={{ includeSearch: false }}
        >
          <span className={classes.barIcon}>
            <Icon size={21} stroke={1.6} />
            {to === "/alerts" && firing > 0 && <span className={classes.badge}>{firing}</span>}
          </span>
          {label}
        </Link>
      ))}
      <Link to="/more" className={classes.barItem} data-tour="/send" data-active={inMore || undefined}>
        <IconDots size={21} stroke={1.6} />
        More
      </Link>
    </nav>
  );
}
