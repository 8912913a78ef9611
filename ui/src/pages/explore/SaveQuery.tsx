import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { savedQueries } from "../../api/explore";
import { needs } from "../../api/required";
import { Button } from "../../components/Button";
import { Field, Input } from "../../components/fields";
import { fieldError } from "../../components/problems";
import { toast } from "../../toasts/toast";
import classes from "./Explore.module.css";

/** Keeps what is asked for under a name, for everyone in the organization. */
export default function SaveQuery({ title, search, close }: { title: string; search: string; close: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState(title.slice(0, 100));
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const save = async (e: FormEvent) => {
    e.preventDefault();
    setBusy(true);
    try {
      await needs(["name"], savedQueries.save)({ name: name.trim(), search });
      await client.invalidateQueries({ queryKey: savedQueries.list().queryKey });
      toast(`Saved as ${name.trim()}.`);
      close();
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };
  const said = fieldError(error, "name") ?? (error instanceof Error ? error.message : undefined);
  return (
    <form className={classes.save} noValidate onSubmit={(e) => void save(e)}>
      <Field label="Name" hint="Everyone in the organization finds it by this." error={said}>
        {(id) => <Input id={id} autoFocus value={name} onChange={(e) => setName(e.currentTarget.value)} />}
      </Field>
      <Button type="submit" loading={busy}>
        Save query
      </Button>
    </form>
  );
}
