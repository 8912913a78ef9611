import type { ChartLink } from "../api/types";
import { hrefOf, linkProblem, ownPath } from "../lib/link";
import { tagOf } from "../lib/tagOf";

const holes = /\{([^{}]+)\}/g;

/** The tags that a link wants to be filled in. */
export const wanted = (url: string): string[] => [...url.matchAll(holes)].map(([, tag = ""]) => tag);

/** A link with its tags filled in; nothing where one is not known, or where nobody could be sent. */
export function filled({ url }: ChartLink, tags: Record<string, string>): string | undefined {
  if (wanted(url).some((tag) => tagOf(tags, tag) === undefined)) return undefined;
  const to = url.replace(holes, (_, tag: string) => encodeURIComponent(tagOf(tags, tag) ?? ""));
  if (to.startsWith("/")) return ownPath(to) === to ? to : undefined;
  return linkProblem(to) === undefined ? to : undefined;
}

/** The links of a chart that are about one of its streams; the others are about the chart, and in its menu. */
export const ofStreams = (links: ChartLink[] | null | undefined): ChartLink[] =>
  (links ?? []).filter((l) => wanted(l.url).length > 0);

/** Where links lead from a stream: those that its tags fill. */
export const linksFrom = (links: ChartLink[], tags: Record<string, string>): { title: string; to: string }[] =>
  links.flatMap((l) => {
    const to = filled(l, tags);
    return to ? [{ title: l.title || to, to }] : [];
  });

/** Goes where a link leads: our own pages are here, others in a window that knows nothing of this one. */
export const follow = (to: string) => window.open(hrefOf(to), to.startsWith("/") ? "_self" : "_blank", "noopener");
