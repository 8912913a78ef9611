import { IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { charts, spaces } from "../api/spaces";
import type { ChartDraft } from "../api/types";
import { toast } from "../toasts/toast";
import { Button } from "./Button";
import classes from "./Menu.module.css";
import { Pop } from "./Pop";
import { startSpace } from "./startSpace";

/** Puts what is seen into a space, as a chart. */
export function AddToSpace({ chart, disabled = false }: { chart: ChartDraft; disabled?: boolean }) {
  const { data } = useQuery(spaces.all);
  const client = useQueryClient();
  const navigate = useNavigate();
  const open = (id: number) => void navigate({ to: "/spaces/$id", params: { id: String(id) } });
  const addToNew = async () => {
    try {
      const id = await startSpace(chart.name || "New space", [chart]);
      await client.invalidateQueries({ queryKey: ["spaces"] });
      toast("Added to a new space.", { action: { label: "Open", run: () => open(id) } });
    } catch (err) {
      toast(err instanceof Error ? err.message : String(err), { tone: "error" });
    }
  };
  const add = async (id: number, name: string) => {
    try {
      const made = await charts.create(id, chart);
      await client.invalidateQueries({ queryKey: ["spaces"] });
      toast(`Added to ${name}`, {
        action: { label: "Open", run: () => open(id) },
        undo: () => void charts.remove(id, made.id).then(() => client.invalidateQueries({ queryKey: ["spaces"] })),
      });
    } catch (err) {
      toast(err instanceof Error ? err.message : String(err), { tone: "error" });
    }
  };
  return (
    <Pop
      label="Add to space"
      menu
      align="end"
      target={(p) => (
        <Button variant="default" disabled={disabled} leftSection={<IconPlus size={15} stroke={1.6} />} {...p}>
          Add to space
        </Button>
      )}
    >
      {(close) => (
        <div className={classes.menu} style={{ maxHeight: 320, overflow: "auto" }}>
          {data?.spaces.map((s) => (
            <button
              key={s.id}
              type="button"
              role="menuitem"
              className={classes.item}
              onClick={() => {
                close();
                void add(s.id, s.name);
              }}
            >
              {s.name}
            </button>
          ))}
          <button
            type="button"
            role="menuitem"
            className={classes.item}
            onClick={() => {
              close();
              void addToNew();
            }}
          >
            New space with this chart
          </button>
        </div>
      )}
    </Pop>
  );
}
