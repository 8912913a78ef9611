import type { Thing } from "../api/history";
import AlsoEditing from "./AlsoEditing";
import Conflict from "./Conflict";
import type { Concurrency } from "./useConcurrency";

type Props = { thing: Thing; with: Concurrency; takeTheirs: () => void; saveMine: (over: number) => void };

/** What an editor says of others who edit the same. */
export default function Concurrent({ thing, with: c, takeTheirs, saveMine }: Props) {
  return (
    <>
      <AlsoEditing thing={thing} version={c.version} look={c.ask} />
      {c.asking && (
        <Conflict
          thing={thing}
          version={c.version}
          close={c.close}
          takeTheirs={() => {
            c.close();
            takeTheirs();
          }}
          saveMine={(over) => {
            c.close();
            saveMine(over);
          }}
        />
      )}
    </>
  );
}
