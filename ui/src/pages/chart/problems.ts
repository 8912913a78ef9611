import type { Band, ChartLink } from "../../api/types";
import { linkProblem, ownPath } from "../../lib/link";
import { parseNumber } from "../../lib/number";

/** As the server has it. */
export const longestText = 32_768;

export const mostPercentiles = 7;

/** 99.9, also where it is typed as p99.9. */
export const typedPercentile = (text: string) => parseNumber(text.trim().replace(/^p/i, ""));

/** What is wrong with a percentile that is added to others. */
export function percentileProblem(text: string, others: number[]): string | undefined {
  const p = typedPercentile(text);
  if (!(p >= 0 && p <= 100)) return "Any number between 0 and 100, such as 99.9.";
  return others.includes(p) ? `There is already p${p}.` : undefined;
}

/** What is wrong with a band, in words. */
export const bandProblem = ({ from, to }: Band): string | undefined =>
  Number.isFinite(from) && Number.isFinite(to) && from >= to ? "To must be above From." : undefined;

/** What is wrong with the address of a link, whose tags are filled in later. */
export function addressProblem(url: string): string | undefined {
  if (url.startsWith("/")) return ownPath(url) === url ? undefined : "This is not an address.";
  return linkProblem(url.replace(/[{}]/g, ""));
}

export const isWhole = (l: ChartLink) => l.title.trim() !== "" && l.url !== "" && addressProblem(l.url) === undefined;
