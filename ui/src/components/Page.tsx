import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useLocation } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { withPrefix } from "../lib/prefix";
import { hasTabs } from "../shell/navigation";
import classes from "./Page.module.css";

/** Not part of the first load: most pages have none. */
const PlaceTabs = lazy(() => import("./PlaceTabs"));

type Props = {
  title: string;
  /** Shown instead of the plain title, beside which things may stand. */
  heading?: ReactNode;
  /** Where Back leads on a phone, and the first word of the breadcrumb. */
  parent?: { to: string; label: string };
  crumb?: boolean;
  tools?: ReactNode;
  /** One row under the title. */
  filters?: ReactNode;
  /** No right to change anything here: said once, under the title. */
  viewOnly?: boolean;
  wide?: boolean;
  children: ReactNode;
};

/** The frame of a page: title left, tools right, one row of filters, content. */
export function Page({ title, heading, parent, crumb = false, tools, filters, viewOnly = false, children }: Props) {
  usePageTitle(title);
  const tabs = hasTabs(useLocation().pathname);
  return (
    <div className={classes.page}>
      <header className={classes.top}>
        {parent && (
          <Link to={parent.to} className={classes.back} aria-label={`Back to ${parent.label}`}>
            <IconArrowLeft size={20} stroke={1.6} />
          </Link>
        )}
        {crumb && parent && (
          <span className={classes.crumb}>
            <Link to={parent.to} activeOptions={{ exact: true }}>
              {parent.label}
            </Link>
            <span aria-hidden>/</span>
          </span>
        )}
        {heading ?? (
          <h1 className="cut" title={title}>
            {title}
          </h1>
        )}
        <div className={classes.tools}>{tools}</div>
      </header>
      {viewOnly && <p className={classes.viewOnly}>You can look, not change.</p>}
      {tabs && (
        <div className={classes.tabs}>
          <Suspense fallback={null}>
            <PlaceTabs />
          </Suspense>
        </div>
      )}
      {filters && <div className={classes.filters}>{filters}</div>}
      <div className={classes.content}>{children}</div>
    </div>
  );
}

let firing = 0;
let pageTitle = "";
function write() {
  document.title = `${firing > 0 ? `(${firing}) ` : ""}${pageTitle ? `${pageTitle} - ` : ""}Tidemark`;
}

/** The browser's title says the page and how many alerts fire. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    pageTitle = title;
    write();
  }, [title]);
}

export function showFiring(n: number): void {
  firing = n;
  write();
  const icon = document.getElementById("favicon") as HTMLLinkElement | null;
  if (icon) icon.href = withPrefix(n > 0 ? "/favicon-firing.svg" : "/favicon.svg");
}
