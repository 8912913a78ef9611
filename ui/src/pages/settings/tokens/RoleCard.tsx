import { IconAlertTriangle, IconCheck, IconMinus } from "@tabler/icons-react";
import type { roles } from "../../../lib/roles";
import { RoleIcon } from "./RoleIcon";
import own from "./Tokens.module.css";

/** One role to choose: for whom, what it can and what it cannot. */
export function RoleCard({
  text,
  chosen,
  choose,
}: {
  text: (typeof roles)[number];
  chosen: boolean;
  choose: () => void;
}) {
  return (
    <label className={own.card}>
      <span className={own.title}>
        <input type="radio" name="role" checked={chosen} onChange={choose} />
        {text.title} {text.aside && <small>{text.aside}</small>}
        <RoleIcon role={text.role} size={17} />
      </span>
      <p className={own.sentence}>{text.sentence}</p>
      <div className={own.lists}>
        <ul>
          {text.can.map((s) => (
            <li key={s}>
              <IconCheck size={14} stroke={1.8} color="var(--tm-grn)" aria-label="Can:" /> {s}
            </li>
          ))}
        </ul>
        <ul className={own.no}>
          {text.cannot.map((s) => (
            <li key={s}>
              <IconMinus size={14} stroke={1.8} aria-label="Cannot:" /> {s}
            </li>
          ))}
          {text.warning && (
            <li className={own.warning}>
              <IconAlertTriangle size={14} stroke={1.8} aria-label="Warning:" /> {text.warning}
            </li>
          )}
        </ul>
      </div>
    </label>
  );
}
