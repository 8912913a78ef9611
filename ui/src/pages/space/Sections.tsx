import { IconChevronDown, IconChevronRight, IconDots } from "@tabler/icons-react";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Section } from "../../api/ui.gen";
import { IconButton } from "../../components/controls";
import { Menu } from "../../components/Menu";
import { count } from "../../lib/format";
import { tabOrg } from "../../lib/org";
import { usePhone } from "../../shell/usePhone";
import { type Arrangement, foldedByDefault, renamed, swapped, toSection, without } from "./arrangement";
import { Grid } from "./Grid";
import { sectionOf } from "./layout";
import classes from "./Sections.module.css";
import type { SpaceGridProps } from "./SpaceGrid";

type Folds = Record<string, boolean>;

/** What somebody folded themselves, on this device; one is open, whatever they did. */
function useFolds(space: number, open: string | undefined): [Folds, (name: string, folded: boolean) => void] {
  const key = `tidemark.folds.${tabOrg()}.${space}`;
  const [folds, setFolds] = useState<Folds>(() => {
    try {
      return { ...(JSON.parse(localStorage.getItem(key) ?? "{}") as Folds), ...(open && { [open]: false }) };
    } catch {
      return open ? { [open]: false } : {};
    }
  });
  const set = (name: string, folded: boolean) => {
    const next = { ...folds, [name]: folded };
    setFolds(next);
    localStorage.setItem(key, JSON.stringify(next));
  };
  return [folds, set];
}

type Props = SpaceGridProps & { sections: Section[] };

/** The sections of a space, each with its line and its grid. What is folded neither loads nor draws. */
export default function Sections({ space, sections, onSections, ...grid }: Props) {
  const phone = usePhone();
  const { chart } = useSearch({ strict: false }) as { chart?: string };
  const wanted = grid.boxes.find((b) => String(b.chart) === chart);
  const [folds, fold] = useFolds(space, wanted && sections[sectionOf(wanted) - 1]?.name);
  const of = (n: number) => grid.boxes.filter((b) => sectionOf(b) === n);
  const gridOf = (n: number) => (
    <Grid
      {...grid}
      boxes={of(n)}
      onChange={(next) => grid.onChange([...grid.boxes.filter((b) => sectionOf(b) !== n), ...next])}
      onLeave={(chart, section) => grid.onChange(toSection(grid.boxes, chart, section))}
    />
  );
  return (
    <>
      {of(0).length > 0 && <div data-section={0}>{gridOf(0)}</div>}
      {sections.map((s, i) => {
        const n = i + 1;
        const folded = folds[s.name] ?? (phone ? n > 1 : s.folded === true);
        return (
          <section key={`${n} ${s.name}`} data-section={n} aria-label={s.name} className={classes.section}>
            <SectionLine
              section={s}
              n={n}
              charts={of(n).length}
              folded={folded}
              onFold={() => fold(s.name, !folded)}
              all={{ sections, boxes: grid.boxes }}
              onSections={onSections}
            />
            {!folded && (of(n).length ? gridOf(n) : <p className={classes.none}>Drop charts here.</p>)}
          </section>
        );
      })}
    </>
  );
}

type LineProps = {
  section: Section;
  n: number;
  charts: number;
  folded: boolean;
  onFold: () => void;
  all: Arrangement;
  onSections: SpaceGridProps["onSections"];
};

function SectionLine({ section, n, charts, folded, onFold, all, onSections }: LineProps) {
  const [renaming, setRenaming] = useState(false);
  const Chevron = folded ? IconChevronRight : IconChevronDown;
  const rename = (name: string) => {
    setRenaming(false);
    if (name.trim() && name !== section.name)
      onSections?.({ ...all, sections: renamed(all.sections, n, name.trim()) }, `Section renamed to ${name.trim()}`);
  };
  return (
    <header className={classes.line}>
      {renaming ? (
        <input
          className={classes.rename}
          aria-label="Name of the section"
          defaultValue={section.name}
          maxLength={255}
          // biome-ignore lint/a11y/noAutofocus: it takes the place of what was pressed
          autoFocus
          onBlur={(e) => rename(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key === "Enter") rename(e.currentTarget.value);
            if (e.key === "Escape") setRenaming(false);
          }}
        />
      ) : (
        <h2>
          <button type="button" aria-expanded={!folded} onClick={onFold}>
            <Chevron size={16} stroke={1.6} aria-hidden />
            {section.name}
          </button>
        </h2>
      )}
      <span className="t3">{count(charts, "chart")}</span>
      <hr />
      {onSections && (
        <Menu
          label={`More for ${section.name}`}
          items={[
            { label: "Rename", run: () => setRenaming(true) },
            {
              label: "Folded at first",
              checked: section.folded === true,
              run: () =>
                onSections(
                  { ...all, sections: foldedByDefault(all.sections, n, !section.folded) },
                  section.folded ? `${section.name} is open at first` : `${section.name} is folded at first`,
                ),
            },
            {
              label: "Move up",
              disabled: n === 1 && "It is the first.",
              run: () => onSections(swapped(all, n, -1), `${section.name} moved up`),
            },
            {
              label: "Move down",
              disabled: n === all.sections.length && "It is the last.",
              run: () => onSections(swapped(all, n, 1), `${section.name} moved down`),
            },
            "line",
            {
              label: "Remove section",
              danger: true,
              run: () => onSections(without(all, n), `${section.name} removed; its charts are kept`),
            },
          ]}
          target={(p) => (
            <IconButton label={`More for ${section.name}`} {...p}>
              <IconDots size={15} stroke={1.6} />
            </IconButton>
          )}
        />
      )}
    </header>
  );
}
