import { IconChevronDown, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { SpaceSummary } from "../../api/types";
import { Chip } from "../../components/controls";
import { Menu, type MenuItem } from "../../components/Menu";
import { whole } from "../../lib/format";
import { ownersOf, type SpaceListing, sortWords, tagsOf } from "../../lib/spaceList";

type Props = { all: SpaceSummary[]; asked: SpaceListing; change: (to: SpaceListing) => void };

/** How the list of spaces is sorted, and what it is narrowed to. */
export function SpaceFilters({ all, asked, change }: Props) {
  const tags = tagsOf(all);
  const owners = ownersOf(all);
  const sort = (asked.sort ?? "").replace(/^-/, "");
  return (
    <>
      <Choice
        label="Sort"
        items={Object.entries(sortWords).map(([by, words]) => ({
          label: words,
          checked: by === sort,
          run: () => change({ sort: by }),
        }))}
      >
        {`Sort: ${sortWords[sort] ?? sortWords[""]}`}
      </Choice>
      {asked.tag ? (
        <Chip active onClick={() => change({ tag: "" })} aria-label={`Remove filter tag ${asked.tag}`}>
          {`Tag is ${asked.tag}`}
          <IconX size={13} stroke={1.8} aria-hidden />
        </Chip>
      ) : (
        tags.length > 0 && (
          <Choice
            label="Tag"
            items={tags.map((t) => ({ label: t.tag, hint: whole(t.spaces), run: () => change({ tag: t.tag }) }))}
          >
            Tag
          </Choice>
        )
      )}
      {asked.owner ? (
        <Chip active onClick={() => change({ owner: "" })} aria-label="Remove filter owner">
          {`Owner is ${owners.find((o) => o.owner === asked.owner)?.name ?? asked.owner}`}
          <IconX size={13} stroke={1.8} aria-hidden />
        </Chip>
      ) : (
        owners.length > 1 && (
          <Choice label="Owner" items={owners.map((o) => ({ label: o.name, run: () => change({ owner: o.owner }) }))}>
            Owner
          </Choice>
        )
      )}
    </>
  );
}

function Choice({ label, items, children }: { label: string; items: MenuItem[]; children: ReactNode }) {
  return (
    <Menu
      label={label}
      align="start"
      items={items}
      target={(p) => (
        <Chip {...p}>
          {children} <IconChevronDown size={13} stroke={1.6} aria-hidden />
        </Chip>
      )}
    />
  );
}
