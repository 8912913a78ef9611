import { IconArrowLeft, IconDots } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import type { Metric } from "../../api/types";
import { IconButton } from "../../components/controls";
import { Menu } from "../../components/Menu";
import { step } from "../../lib/format";
import { usePhone } from "../../shell/usePhone";
import { TimePicker } from "../../time/TimePicker";
import classes from "./Metrics.module.css";

type Props = {
  name: string;
  metric: Metric | undefined;
  canEdit: boolean;
  onBack: () => void;
  onDialog: (kind: "edit" | "delete" | "history") => void;
};

/** What the metric is called and what it is; the time, and what can be done with it. */
export function MetricTop({ name, metric, canEdit, onBack, onDialog }: Props) {
  const navigate = useNavigate();
  const phone = usePhone();
  const Title = phone ? "h1" : "h2"; // there it is the page
  const composite = metric?.type === "composite";
  return (
    <header className={classes.top}>
      <IconButton className={classes.back ?? ""} label="Back to the list" onClick={onBack}>
        <IconArrowLeft size={20} stroke={1.6} />
      </IconButton>
      <Title className="mono cut" title={name}>
        {name}
      </Title>
      {metric && (
        <span className="t3 cut">{`${metric.type}${metric.period ? `, every ${step(metric.period)}` : ""}`}</span>
      )}
      <div className={classes.tools}>
        {!phone && <TimePicker />}
        {(canEdit || composite) && (
          <Menu
            label="More for this metric"
            items={[
              ...(canEdit ? [{ label: "Edit properties", run: () => onDialog("edit") }] : []),
              {
                label: "Open in Explore",
                run: () =>
                  void navigate({
                    to: "/explore",
                    search: ({ q, name: _, sort, dialog, ...asked }: Record<string, string>) => ({
                      ...asked,
                      metric: name,
                    }),
                  } as never),
              },
              ...(composite ? [{ label: "History", run: () => onDialog("history") }] : []),
              ...(canEdit
                ? (["line", { label: "Delete…", danger: true, run: () => onDialog("delete") }] as const)
                : []),
            ]}
            target={(p) => (
              <IconButton label="More" {...p}>
                <IconDots size={17} stroke={1.8} />
              </IconButton>
            )}
          />
        )}
      </div>
    </header>
  );
}
