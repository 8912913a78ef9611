import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { metrics } from "../../api/metrics";
import { needs } from "../../api/required";
import { Button } from "../../components/Button";
import { Field, Input, Select } from "../../components/fields";
import { Modal } from "../../components/overlays";
import { FormError, fieldError } from "../../components/problems";
import { toast } from "../../toasts/toast";

const periods = [
  { value: "", label: "as its parts" },
  { value: "10", label: "10 s" },
  { value: "60", label: "1 min" },
  { value: "300", label: "5 min" },
  { value: "3600", label: "1 h" },
];

type Props = { composite: string; name: string; close: () => void; onSaved: (metric: string) => void };

/** Keeps an expression as a metric that charts and alerts can use. */
export default function SaveMetric({ composite, name: first, close, onSaved }: Props) {
  const client = useQueryClient();
  const [name, setName] = useState(first.toLowerCase().replace(/[^a-z0-9.:_-]+/g, "."));
  const [period, setPeriod] = useState("");
  const [error, setError] = useState<unknown>();
  const save = async () => {
    try {
      const definition = { type: "composite" as const, composite, ...(period && { period: Number(period) }) };
      await needs(["name"], (body: { name: string }) => metrics.save(body.name, definition))({ name });
      await client.invalidateQueries({ queryKey: ["metrics"] });
      toast(`${name} can be used in charts and alerts now.`);
      onSaved(name);
      close();
    } catch (err) {
      setError(err);
    }
  };
  return (
    <Modal opened onClose={close} title="Save as metric">
      <form
        noValidate
        style={{ display: "flex", flexDirection: "column", gap: 14 }}
        onSubmit={(e) => {
          e.preventDefault();
          void save();
        }}
      >
        <p className="t2">It can then be used in charts and alerts, but not inside another composite.</p>
        <Field label="Name" hint="Letters, digits and . : - _" error={fieldError(error, "name")}>
          {(id) => (
            <Input
              id={id}
              mono
              value={name}
              onChange={(e) => setName(e.currentTarget.value)}
              data-autofocus
              placeholder="checkout.success.ratio"
            />
          )}
        </Field>
        <Field label="Period" hint="How far apart its values are.">
          {(id) => <Select id={id} options={periods} value={period} onChange={setPeriod} />}
        </Field>
        <FormError error={error} fields={["name"]} />
        <div style={{ display: "flex", justifyContent: "flex-end", gap: 10 }}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit">Save metric</Button>
        </div>
      </form>
    </Modal>
  );
}
