import { useBlocker, useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { Token } from "../../../api/types.gen";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { type Question, useConfirm } from "../../../components/confirm";
import { Panel } from "../../../components/Panel";
import { Snippets } from "../../../components/Snippets";
import classes from "../../../components/settingsPages.module.css";
import { day } from "../../../lib/format";
import { useSession } from "../../../shell/useSession";
import { FirstRequest } from "./FirstRequest";
import { RoleName } from "./RoleIcon";
import own from "./Tokens.module.css";
import { tokenTime } from "./words";

const leaving: Question = {
  title: "The token cannot be shown again. Leave without copying it?",
  action: "Leave",
  keep: "Stay",
  danger: true,
};

/**
 * Keeps a secret from being lost: who has not copied it is asked. Back
 * leads to the token's details instead of to the form that made it.
 */
function useGuard(id: number) {
  const [copied, setCopied] = useState(false);
  const safe = useRef(false);
  const confirm = useConfirm();
  const navigate = useNavigate();
  const details = () =>
    navigate({ to: "/settings/tokens/$id", params: { id: String(id) }, replace: true, ignoreBlocker: true });
  useBlocker({
    shouldBlockFn: async ({ action }) => {
      if (!safe.current && !(await confirm(leaving))) return true;
      if (action !== "BACK") return false;
      window.setTimeout(details);
      return true;
    },
    enableBeforeUnload: () => !safe.current,
  });
  const keep = () => {
    safe.current = true;
    setCopied(true);
  };
  return { copied, keep };
}

type Props = { token: Token; done: () => void; another?: () => void };

/** The secret, once. It lives in this component's props only: not in a cache, an address or a storage. */
export function Secret({ token, done, another }: Props) {
  const { server } = useSession();
  const { copied, keep } = useGuard(token.id);
  const then = (go: () => void) => () => {
    keep();
    go();
  };
  return (
    <div className={classes.form}>
      <p className={`t2 ${own.facts}`}>
        <RoleName role={token.role} />
        <span>{token.expires_at ? `Expires ${day(tokenTime(token.expires_at))}` : "Never expires"}</span>
      </p>
      <Panel className={own.secret ?? ""}>
        <div className={classes.section} style={{ margin: 0 }}>
          <h3>Copy the token now</h3>
          <span className="t2">It is shown this once. Tidemark keeps only its hash.</span>
        </div>
        <div className={own.value}>
          <output className="mono" onCopy={keep}>
            {token.token}
          </output>
          <CopyButton text={token.token} label="Copy token" filled={!copied} large onCopied={keep} />
        </div>
      </Panel>
      <div>
        <div className={classes.section} style={{ margin: "0 0 4px" }}>
          <h3 className={own.use}>Use it</h3>
          <span className="t3">Already filled in with this server and this token</span>
        </div>
        <Snippets server={server} token={token.token} full={token.role === "admin"} onCopied={keep} />
      </div>
      <FirstRequest token={token.id} />
      <div style={{ display: "flex", flexWrap: "wrap", gap: 10 }}>
        <Button variant={copied ? "filled" : "default"} onClick={then(done)}>
          Done, I have stored it
        </Button>
        {another && (
          <Button variant="subtle" onClick={then(another)}>
            Generate another
          </Button>
        )}
      </div>
    </div>
  );
}
