import { Panel } from "../../components/Panel";
import { whole } from "../../lib/format";
import classes from "./Editor.module.css";
import { longestText } from "./problems";

/** The words of a text, in Markdown. */
export function TextEditor({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  return (
    <Panel className={classes.words ?? ""}>
      <label htmlFor="panel-text">Text</label>
      <textarea
        id="panel-text"
        className="mono"
        rows={12}
        value={text}
        aria-describedby="panel-text-hint"
        aria-invalid={text.length > longestText}
        placeholder={"1. Look at the newest flag.\n2. Open [Queue workers](/spaces/4)."}
        onChange={(e) => onChange(e.currentTarget.value)}
      />
      <p id="panel-text-hint" className={text.length > longestText ? classes.amber : "t3"}>
        {text.length > longestText
          ? `Text has ${whole(text.length)} characters; ${whole(longestText)} are allowed.`
          : "Markdown: # heading, - list, 1. steps, **bold**, `code`, [words](address). HTML stays text."}
      </p>
    </Panel>
  );
}
