import { IconChevronDown } from "@tabler/icons-react";
import type { Place } from "../../api/ui.gen";
import { Pop } from "../../components/Pop";
import { placeWord } from "../../lib/checks";
import { ago, count } from "../../lib/format";
import classes from "./Checks.module.css";

type Props = { id: string; known: Place[]; value: string[]; onChange: (places: string[]) => void };

/** Where a check runs: the server, agents by name, agents by tag. */
export function PlacesField({ id, known, value, onChange }: Props) {
  const toggle = (place: string) =>
    onChange(value.includes(place) ? value.filter((p) => p !== place) : [...value, place]);
  return (
    <Pop
      label="Places"
      width={280}
      target={(p) => (
        <button type="button" id={id} className={classes.places} {...p} ref={p.ref}>
          <span className="cut">{value.length === 1 ? placeWord(value[0] ?? "") : count(value.length, "place")}</span>
          <IconChevronDown size={14} stroke={1.8} aria-hidden />
        </button>
      )}
    >
      {() => (
        <div className={classes.choices}>
          <Choice label="the server" on={value.includes("server")} toggle={() => toggle("server")} />
          {known.map((p) => (
            <Choice
              key={p.name}
              label={p.name}
              hint={`asked ${ago(p.seen_at)}`}
              on={value.includes(`agent:${p.name}`)}
              toggle={() => toggle(`agent:${p.name}`)}
            />
          ))}
          {tagsOf(known).map(({ tag, agents }) => (
            <Choice
              key={tag}
              label={`agents with ${tag}`}
              hint={String(agents)}
              on={value.includes(`tag:${tag}`)}
              toggle={() => toggle(`tag:${tag}`)}
            />
          ))}
          {known.length === 0 && (
            <p className="t2">Agents appear here once they run: see Send data, Watch this machine.</p>
          )}
        </div>
      )}
    </Pop>
  );
}

type ChoiceProps = { label: string; hint?: string; on: boolean; toggle: () => void };

function Choice({ label, hint, on, toggle }: ChoiceProps) {
  return (
    <label>
      <input type="checkbox" checked={on} onChange={toggle} />
      <span className="cut">{label}</span>
      {hint && <small className="t3">{hint}</small>}
    </label>
  );
}

/** The tags that agents have beside their name, with how many have each. */
function tagsOf(places: Place[]): { tag: string; agents: number }[] {
  const by = new Map<string, number>();
  for (const p of places) {
    for (const [name, value] of Object.entries(p.tags)) {
      if (name !== "host") by.set(`${name}=${value}`, (by.get(`${name}=${value}`) ?? 0) + 1);
    }
  }
  return [...by].sort(([a], [b]) => a.localeCompare(b)).map(([tag, agents]) => ({ tag, agents }));
}
