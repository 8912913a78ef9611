import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { functions } from "../api/compose";
import { Button } from "../components/Button";
import { DrawerPage } from "../components/overlays";
import { SearchField } from "../components/SearchField";
import classes from "./Compose.module.css";
import { exampleOf, matching } from "./examples";

type Props = { close: () => void; insert: (name: string) => void };

/** All functions beside the editor: what each does, an example, and a press that writes it. */
export default function Reference({ close, insert }: Props) {
  const { data } = useQuery(functions);
  const [q, setQ] = useState("");
  const found = matching(data?.functions ?? [], q);
  return (
    <DrawerPage opened onClose={close} title="Functions">
      <SearchField value={q} onChange={setQ} placeholder="Find a function" autoFocus />
      <dl className={classes.reference}>
        {found.map((f) => (
          <div key={f.name}>
            <dt className="mono">{f.signature}</dt>
            <dd>
              {f.help}
              <code className="mono">{exampleOf(f)}</code>
            </dd>
            <dd className={classes.insert}>
              <Button
                variant="default"
                size="xs"
                aria-label={`Insert ${f.name}`}
                onClick={() => {
                  close();
                  insert(f.name);
                }}
              >
                Insert
              </Button>
            </dd>
          </div>
        ))}
      </dl>
      {data && found.length === 0 && <p className="t3">{`No function has ${q.trim()} in its name or its words.`}</p>}
    </DrawerPage>
  );
}
