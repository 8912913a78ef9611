import type { Band, ChartLink } from "../../api/types";
import { linkProblem, ownPath } from "../../lib/link";

/** As the server has it. */
export const longestText = 32_768;

/** What is wrong with a band, in words. */
export const bandProblem = ({ from, to }: Band): string | undefined =>
  Number.isFinite(from) && Number.isFinite(to) && from >= to ? "To must be above From." : undefined;

/** What is wrong with the address of a link, whose tags are filled in later. */
export function addressProblem(url: string): string | undefined {
  if (url.startsWith("/")) return ownPath(url) === url ? undefined : "This is not an address.";
  return linkProblem(url.replace(/[{}]/g, ""));
}

export const isWhole = (l: ChartLink) => l.title.trim() !== "" && l.url !== "" && addressProblem(l.url) === undefined;
