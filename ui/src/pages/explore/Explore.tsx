import { IconBookmark, IconLink, IconPlus } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { Button } from "../../components/Button";
import { Page } from "../../components/Page";
import { Pop } from "../../components/Pop";
import { Segments } from "../../components/Segments";
import { useAnnotate } from "../../dialogs/useAnnotate";
import { letters } from "../../lib/explore";
import { useShortcuts } from "../../shell/shortcuts";
import { usePhone } from "../../shell/usePhone";
import { useTime } from "../../time/TimeContext";
import { TimePicker } from "../../time/TimePicker";
import { toast } from "../../toasts/toast";
import classes from "./Explore.module.css";
import { useHistory } from "./history";
import { linkWords } from "./linkWords";
import { OneQuery } from "./OneQuery";
import { QueryPane } from "./QueryPane";
import { useMarking } from "./useMarking";
import { emptyQuery, type Queries, useQueries } from "./useQueries";

const WhatChanged = lazy(() => import("./WhatChanged"));
const KeptQueries = lazy(() => import("./KeptQueries"));
const none: string[] = []; // annotation streams that are shown here

/** Questions of the moment: everything about them is in the address. */
export function Explore() {
  const all = useQueries();
  const marking = useMarking(all);
  const annotate = useAnnotate(none);
  useHistory(all.search, all.queries);
  const several = all.queries.length > 1;
  const split = (on: boolean) => (on ? all.duplicate(0) : all.only(0));
  useShortcuts([{ keys: "\\", label: "One query, or side by side", run: () => split(!several) }]);
  const phone = usePhone();
  const layout = (
    <Segments
      label="Layout"
      options={[
        { value: "one", label: "One query" },
        { value: "several", label: "Side by side" },
      ]}
      value={several ? "several" : "one"}
      onChange={(v) => (v === "several") !== several && split(v === "several")}
    />
  );
  const kept = <KeptButton all={all} />;
  return (
    <Page
      title="Explore"
      {...(!phone && {
        heading: (
          <>
            <h1>Explore</h1>
            {layout}
          </>
        ),
      })}
      tools={
        <>
          <TimePicker />
          {!phone && kept}
          <CopyLink />
        </>
      }
    >
      {phone && (
        <div className={classes.row}>
          {layout}
          {kept}
        </div>
      )}
      {several ? (
        <div className={classes.grid}>
          {all.queries.map((_, i) => (
            <QueryPane key={letters[i]} at={i} all={all} marking={marking} {...annotate.take} />
          ))}
        </div>
      ) : (
        <OneQuery all={all} marking={marking} {...annotate.take} />
      )}
      {several && all.hasRoom && (
        <div className={classes.add}>
          <Button
            variant="default"
            leftSection={<IconPlus size={15} stroke={1.6} />}
            onClick={() => all.add(emptyQuery)}
          >
            Add query
          </Button>
        </div>
      )}
      {marking.brush && (
        <Suspense fallback={null}>
          <WhatChanged all={all} brush={marking.brush} close={marking.clear} {...annotate.take} />
        </Suspense>
      )}
      {annotate.dialog}
    </Page>
  );
}

/** Queries that are kept, and those of late. */
function KeptButton({ all }: { all: Queries }) {
  return (
    <Pop
      label="Queries"
      align="end"
      width={320}
      target={(p) => (
        <Button variant="default" leftSection={<IconBookmark size={15} stroke={1.6} />} {...p}>
          Queries
        </Button>
      )}
    >
      {(close) => (
        <Suspense fallback={null}>
          <KeptQueries all={all} close={close} />
        </Suspense>
      )}
    </Pop>
  );
}

function CopyLink() {
  const { canBeLive } = useTime();
  const copy = async () => {
    await navigator.clipboard.writeText(location.href);
    toast(linkWords(canBeLive));
  };
  return (
    <Button
      variant="default"
      leftSection={<IconLink size={15} stroke={1.6} />}
      onClick={() => void copy()}
      className={classes.wide ?? ""}
    >
      Copy link
    </Button>
  );
}
