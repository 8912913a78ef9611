import type { RoleText } from "../../../lib/roles";
import own from "./NewToken.module.css";
import { RoleIcon } from "./RoleIcon";

/** One role to choose. What it can do stands beside the form. */
export function RoleCard({ text, chosen, choose }: { text: RoleText; chosen: boolean; choose: () => void }) {
  return (
    <label className={own.card}>
      <input type="radio" name="role" checked={chosen} onChange={choose} />
      <span>
        <b>{text.title}</b>
        <small>{text.brief}</small>
      </span>
      <RoleIcon role={text.role} size={17} />
    </label>
  );
}
