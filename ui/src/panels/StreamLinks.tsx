import { IconArrowUpRight } from "@tabler/icons-react";
import type { ChartLink } from "../api/types";
import chart from "../chart/Chart.module.css";
import { Menu } from "../components/Menu";
import { follow, linksFrom } from "./links";

type Props = { links: ChartLink[]; name: string; tags: Record<string, string> };

/** Where people go on from one stream of a chart, beside its name. */
export function StreamLinks({ links, name, tags }: Props) {
  const items = linksFrom(links, tags).map(({ title, to }) => ({ label: title, run: () => void follow(to) }));
  if (items.length === 0) return null;
  return (
    <Menu
      label={`Links of ${name}`}
      items={items}
      target={(p) => (
        <button type="button" className={chart.links} aria-label={`Links of ${name}`} {...p}>
          <IconArrowUpRight size={14} stroke={1.8} aria-hidden />
        </button>
      )}
    />
  );
}
