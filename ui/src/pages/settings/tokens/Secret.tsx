import { Button } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";
import type { FreshToken } from "../../../api/tokens";
import { CopyButton } from "../../../components/CopyButton";
import { type Question, useConfirm } from "../../../components/confirm";
import { Panel } from "../../../components/parts";
import { Snippets } from "../../../components/Snippets";
import { roleText } from "../../../lib/roles";
import { useSession } from "../../../shell/useSession";
import classes from "../Settings.module.css";
import { RoleIcon } from "./RoleIcon";
import own from "./Tokens.module.css";
import { Waiting } from "./Waiting";

/** Leaving loses what cannot be shown again. */
export const leaving: Question = {
  title: "Leave without copying it?",
  text: "The token cannot be shown again.",
  action: "Leave",
  keep: "Stay",
  danger: true,
};

type Props = { token: FreshToken; done: () => void; another?: () => void };

/** The secret, once. It lives in this component's props only: not in a cache, an address or a storage. */
export function Secret({ token, done, another }: Props) {
  const { server } = useSession();
  const [copied, setCopied] = useState(false);
  const confirm = useConfirm();
  useBlocker({
    shouldBlockFn: async () => !copied && !(await confirm(leaving)),
    enableBeforeUnload: () => !copied,
  });
  return (
    <div className={classes.form}>
      <p className={`t2 ${own.facts}`}>
        <span className={classes.icon}>
          <RoleIcon role={token.role} /> {roleText(token.role).title}
        </span>
        <span>{token.expires_at ? `Expires ${token.expires_at}` : "Never expires"}</span>
      </p>
      <Panel className={own.secret ?? ""}>
        <div className={classes.section} style={{ margin: 0 }}>
          <h3>Copy the token now</h3>
          <span className="t2">It is shown this once. Tidemark keeps only its hash.</span>
        </div>
        <div className={own.value}>
          <output className="mono" onCopy={() => setCopied(true)}>
            {token.token}
          </output>
          <CopyButton text={token.token} label="Copy token" filled onCopied={() => setCopied(true)} />
        </div>
      </Panel>
      <div>
        <div className={classes.section} style={{ margin: "0 0 4px" }}>
          <h3>Use it</h3>
          <span className="t3">Already filled in with this server and this token</span>
        </div>
        <Snippets server={server} token={token.token} />
      </div>
      <Waiting token={token.id} />
      <div style={{ display: "flex", gap: 10 }}>
        <Button
          variant={copied ? "filled" : "default"}
          onClick={() => {
            setCopied(true);
            window.setTimeout(done); // after the guard has heard of it
          }}
        >
          Done, I have stored it
        </Button>
        {another && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              setCopied(true);
              window.setTimeout(another);
            }}
          >
            Generate another
          </Button>
        )}
      </div>
    </div>
  );
}
