import { useState } from "react";
import { useSession } from "../../shell/useSession";
import { Agents } from "./Agents";
import { FirstRun } from "./FirstRun";

/** Send data: the first run while there is nothing, afterwards protocols and agents. */
export function SendPage() {
  const { has_data } = useSession();
  // The page stays when the first measurement arrives while it is open.
  const [first] = useState(!has_data);
  return first ? <FirstRun /> : <Agents />;
}
