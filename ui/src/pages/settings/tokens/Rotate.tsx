import { Button } from "@mantine/core";
import { useState } from "react";
import { useChange } from "../../../api/resource";
import { type FreshToken, type Token, tokens } from "../../../api/tokens";
import { Field, Select } from "../../../components/fields";
import { Modal } from "../../../components/overlays";
import { FormError } from "../../../components/parts";
import { Secret } from "./Secret";

const overlaps = [
  { value: "0", label: "not at all" },
  { value: "3600", label: "1 hour" },
  { value: "86400", label: "24 hours" },
  { value: "604800", label: "7 days" },
  { value: "2592000", label: "30 days" },
];

/** A new value for a token, while the old one goes on for a while. */
export function Rotate({ token, close }: { token: Token; close: () => void }) {
  const [overlap, setOverlap] = useState("86400");
  const [fresh, setFresh] = useState<FreshToken>();
  const rotate = useChange(["tokens"], tokens.rotate);
  if (fresh)
    return (
      <Modal opened onClose={close} title={`${token.name} has a new value`} size={720}>
        <Secret token={fresh} done={close} />
      </Modal>
    );
  return (
    <Modal opened onClose={close} title={`Rotate ${token.name}`}>
      <p className="t2">
        Make a new value. The old one keeps working for a while, so you can change agents one by one.
      </p>
      <Field label="The old value works for">
        {(id) => <Select id={id} value={overlap} onChange={setOverlap} options={overlaps} />}
      </Field>
      <FormError error={rotate.error} />
      <div style={{ display: "flex", justifyContent: "flex-end", gap: 10, marginTop: 16 }}>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button
          loading={rotate.isPending}
          onClick={() => rotate.mutate({ id: token.id, overlap: Number(overlap) }, { onSuccess: setFresh })}
        >
          Make a new value
        </Button>
      </div>
    </Modal>
  );
}
