import { IconX } from "@tabler/icons-react";
import { Button } from "../../components/Button";
import { IconButton } from "../../components/controls";
import { Field, Input } from "../../components/fields";
import { linkProblem } from "../../lib/link";
import classes from "./Annotations.module.css";

export type Link = { label: string; href: string };
type Props = {
  list: Link[];
  onChange: (list: Link[]) => void;
  /** Somebody wanted to save them: what is wrong is said now. */
  tried: boolean;
};

/** Where an event leads on to. */
export function LinkFields({ list, onChange, tried }: Props) {
  const change = (i: number, patch: Partial<Link>) => onChange(list.map((l, j) => (j === i ? { ...l, ...patch } : l)));
  return (
    <fieldset className={classes.linkFields}>
      <legend>Links</legend>
      {list.map((l, i) => (
        <div key={i}>
          <Input
            aria-label={`Words of link ${i + 1}`}
            placeholder="Words"
            value={l.label}
            onChange={(e) => change(i, { label: e.currentTarget.value })}
          />
          <Field label={`Address of link ${i + 1}`} hideLabel error={tried ? linkProblem(l.href) : undefined}>
            {(id) => (
              <Input
                id={id}
                placeholder="https://"
                type="url"
                value={l.href}
                onChange={(e) => change(i, { href: e.currentTarget.value })}
              />
            )}
          </Field>
          <IconButton label={`Remove link ${i + 1}`} onClick={() => onChange(list.filter((_, j) => j !== i))}>
            <IconX size={15} stroke={1.6} />
          </IconButton>
        </div>
      ))}
      <Button variant="subtle" size="xs" onClick={() => onChange([...list, { label: "", href: "" }])}>
        Add link
      </Button>
    </fieldset>
  );
}
