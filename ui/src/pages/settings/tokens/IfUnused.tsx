import { Field, Select } from "../../../components/fields";
import { count } from "../../../lib/format";

const offered = [30, 60, 90, 180, 365];

/** "60 days: set Inactive"; with the days that a token has already. */
function choices(days: number) {
  const all = offered.includes(days) || days === 0 ? offered : [...offered, days].sort((a, b) => a - b);
  return [
    { value: "0", label: "However long: stays Active" },
    ...all.map((d) => ({ value: String(d), label: `${count(d, "day")}: set Inactive` })),
  ];
}

type Props = { days: string; onChange: (days: string) => void; error: string | undefined };

/** After how many days without use a token is switched off. */
export function IfUnused({ days, onChange, error }: Props) {
  return (
    <Field label="If unused for" hint="When nothing used it for so long." error={error}>
      {(id) => <Select id={id} value={days} onChange={onChange} options={choices(Number(days))} />}
    </Field>
  );
}
