import type { ReactNode } from "react";
import type { TokenSummary } from "../../../api/ui.gen";
import { LinkButton } from "../../../components/Button";
import { Switch } from "../../../components/fields";
import classes from "../../../components/settingsPages.module.css";
import table from "../../../components/table.module.css";
import { count } from "../../../lib/format";
import { useSetActive } from "./useSetActive";

function Item({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className={classes.item}>
      <div>
        <b>{title}</b>
        <small>{text}</small>
      </div>
      {children}
    </div>
  );
}

/** The three ways to end what a token may do, the softest first. */
export function TokenActions({ token }: { token: TokenSummary }) {
  const setActive = useSetActive();
  const stops = token.senders > 0 ? `${count(token.senders, "sender stops", "senders stop")} at once. ` : "";
  return (
    <>
      <div className={classes.section}>
        <h3>Change or stop</h3>
      </div>
      <div className={`${table.panel} ${classes.list}`}>
        <Item title="Active" text="Inactive refuses the next request with 401. Can be undone.">
          <Switch label="Active" hidden checked={token.active} onChange={(on) => setActive(token, on)} />
        </Item>
        <Item title="Rotate" text="New value now; the old one keeps working for as long as you choose.">
          <LinkButton variant="default" size="xs" to={`/settings/tokens/${token.id}/rotate`}>
            Rotate…
          </LinkButton>
        </Item>
        <Item title="Delete" text={`${stops}Cannot be undone.`}>
          <LinkButton
            variant="default"
            size="xs"
            style={{ color: "var(--tm-red)" }}
            to={`/settings/tokens/${token.id}/delete`}
          >
            Delete…
          </LinkButton>
        </Item>
      </div>
    </>
  );
}
