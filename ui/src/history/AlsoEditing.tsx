import { useEffect, useState } from "react";
import { listenEditors, type Thing } from "../api/history";
import type { EditorList } from "../api/ui.gen";
import { who } from "../lib/audit";
import { moment } from "../lib/format";
import { useSession } from "../shell/useSession";
import classes from "./History.module.css";

type Props = {
  thing: Thing;
  /** The version that is edited here. */
  version: number;
  /** Shows what others saved meanwhile. */
  look: () => void;
};

/** "ann@example.org is editing this too", and that somebody saved. Says nothing while one is alone. */
export default function AlsoEditing({ thing, version, look }: Props) {
  const [heard, setHeard] = useState<EditorList>();
  const { user } = useSession();
  const { kind, id } = thing;
  useEffect(() => listenEditors({ kind, id }, setHeard), [kind, id]);
  if (!heard) return null;
  const names = [...new Set(heard.editors.map((e) => e.name))];
  const others = names.filter((n) => n !== user.email);
  const saved = heard.version > version;
  if (names.length === 0 && !saved) return null;
  return (
    <p className={classes.editing} role="status">
      {others.length > 0 && <span>{`${listed(others)} ${others.length > 1 ? "are" : "is"} editing this too.`}</span>}
      {others.length === 0 && names.length > 0 && <span>You are editing this in another tab too.</span>}
      {saved && (
        <>
          <span>{`${who(heard.actor)} saved version ${heard.version}, ${moment(heard.at)}.`}</span>
          <button type="button" onClick={look}>
            See what changed
          </button>
        </>
      )}
    </p>
  );
}

const listed = (names: string[]) =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
