import { IconWand } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { templates } from "../api/spaces";
import type { TemplateOffer } from "../api/ui.gen";
import { count } from "../lib/format";
import { useSession } from "../shell/useSession";
import { toast } from "../toasts/toast";
import { Button } from "./Button";
import { Panel } from "./Panel";
import classes from "./ReadySpaces.module.css";

/** Offers at once; the others after a press. */
const offersAtOnce = 3;

/** Offers the spaces that could be made of what arrives, each in one click. */
export function ReadySpaces() {
  const { canEdit } = useSession();
  const { data } = useQuery({ ...templates.all, enabled: canEdit });
  const [all, setAll] = useState(false);
  const offered = data?.templates.filter((t) => t.space === 0) ?? [];
  const shown = all ? offered : offered.slice(0, offersAtOnce);
  return (
    <>
      {shown.map((t) => (
        <Panel key={t.name} className={classes.offer ?? ""} aria-label={t.title}>
          <IconWand size={18} stroke={1.6} aria-hidden />
          <span>{arrives(t)}</span>
          <MakeSpace name={t.name} title={t.title} />
        </Panel>
      ))}
      {shown.length < offered.length && (
        <p className={classes.others}>
          <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
            {`${offered.length - shown.length} more`}
          </Button>
        </p>
      )}
    </>
  );
}

/** "Telegraf sends what its hosts do: 7 hosts." */
export const arrives = ({ about, hosts }: TemplateOffer) => `${about}${hosts > 0 ? `: ${count(hosts, "host")}` : ""}.`;

/** Makes a ready space with its alerts, and opens it. */
export function MakeSpace({ name, title }: { name: string; title: string }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    try {
      const made = await templates.make(name);
      await client.invalidateQueries();
      if (made.alerts.length > 0)
        toast(`${count(made.alerts.length, "alert")} to switch on under Alerts: they are made, and inactive.`);
      await navigate({ to: "/spaces/$id", params: { id: String(made.space) } });
    } catch (err) {
      toast((err as Error).message, { tone: "error" });
      setBusy(false);
    }
  };
  return (
    <Button loading={busy} onClick={() => void make()}>
      {`Make the space ${title}`}
    </Button>
  );
}
