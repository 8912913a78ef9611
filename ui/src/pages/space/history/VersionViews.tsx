import { useState } from "react";
import type { Version } from "../../../api/ui.gen";
import { Panel } from "../../../components/Panel";
import { compare, type Mark } from "../../../history/compare";
import { useNames } from "../../../history/useNames";
import { who } from "../../../lib/audit";
import { marksOf } from "./marks";
import { SaveName } from "./SavesList";
import { type Save, when } from "./saves";
import { VersionGrid } from "./VersionGrid";
import classes from "./Versions.module.css";

type Marks = ReadonlyMap<number, Mark>;
type SideProps = { which: "before" | "after"; version: Version };

/** Which version it is, when it was saved and by whom. */
function SideHead({ which, version: v }: SideProps) {
  return (
    <header className={classes.sideHead}>
      <h2 className={classes.which} data-which={which}>
        {which === "before" ? "Before" : "This version"}
      </h2>
      <span className="t2">{`${when(v.at)}${v.actor ? `, ${who(v.actor)}` : ""}`}</span>
      <SaveName version={v} />
    </header>
  );
}

function Side({ which, version, marks }: SideProps & { marks: Marks }) {
  return (
    <div className={classes.side}>
      <SideHead which={which} version={version} />
      <VersionGrid document={version.document} marks={marks} />
    </div>
  );
}

const unmarked: Marks = new Map();

function useMarks({ version, before }: Save): Marks {
  const names = useNames(false);
  return before ? marksOf(compare("space", before.document, version.document, names)) : unmarked;
}

/** Both versions, one beside the other; the first one alone. */
export function SideBySide({ save }: { save: Save }) {
  const marks = useMarks(save);
  return (
    <Panel className={classes.sides ?? ""} data-alone={!save.before || undefined}>
      {save.before && <Side which="before" version={save.before} marks={marks} />}
      <Side which="after" version={save.version} marks={marks} />
    </Panel>
  );
}

/** One of the two, where there is no room for both. */
export function OneSide({ save, which }: { save: Save; which: "before" | "after" }) {
  const marks = useMarks(save);
  const version = which === "before" ? (save.before ?? save.version) : save.version;
  return (
    <Panel className={classes.sides ?? ""} data-alone>
      <Side which={version === save.version ? "after" : "before"} version={version} marks={marks} />
    </Panel>
  );
}

/** Both in one place: what lies left of the slider is as it was. */
export function Overlay({ save }: { save: Save }) {
  const marks = useMarks(save);
  const [at, setAt] = useState(50);
  if (!save.before) return <SideBySide save={save} />;
  return (
    <Panel className={classes.overlay ?? ""} style={{ "--at": `${at}%` } as React.CSSProperties}>
      <div className={classes.both}>
        <SideHead which="before" version={save.before} />
        <SideHead which="after" version={save.version} />
      </div>
      <input
        type="range"
        min={0}
        max={100}
        value={at}
        onChange={(e) => setAt(e.currentTarget.valueAsNumber)}
        aria-label="How much is shown of what was before"
        aria-valuetext={`${at} % before, ${100 - at} % this version`}
      />
      <div className={classes.layers}>
        <div data-layer="before" inert={at === 0}>
          <VersionGrid document={save.before.document} marks={marks} />
        </div>
        <div data-layer="after" inert={at === 100}>
          <VersionGrid document={save.version.document} marks={marks} />
        </div>
      </div>
    </Panel>
  );
}
