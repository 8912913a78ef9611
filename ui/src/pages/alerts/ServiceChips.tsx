import { IconPlus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { services } from "../../api/services";
import { Chip, IconButton } from "../../components/controls";
import { Menu } from "../../components/Menu";
import { ServiceIcon } from "../../services/ServiceIcon";
import { useSession } from "../../shell/useSession";
import classes from "./Editor.module.css";

const NewService = lazy(() => import("../../services/NewService"));

type Props = {
  ids: number[];
  set: (ids: number[]) => void;
  /** Who else is chosen, where there are several such lists: "Step 2". */
  of?: string;
};

/** The services as chips; one more is chosen from the list, or made on the spot. */
export function ServiceChips({ ids, set, of }: Props) {
  const { canEdit } = useSession();
  const { data } = useQuery(services.list());
  const [making, setMaking] = useState(false);
  const all = data?.items ?? [];
  const free = all.filter((s) => !ids.includes(s.id));
  return (
    <>
      <div className={classes.words} style={{ marginTop: 0 }}>
        {ids.map((id) => (
          <NotifiedService
            key={id}
            service={all.find((s) => s.id === id)}
            id={id}
            of={of}
            drop={() => set(ids.filter((o) => o !== id))}
          />
        ))}
        <Menu
          label={of ? `Add a service to ${of}` : "Add a service"}
          align="start"
          items={[
            ...free.map((s) => ({
              label: s.title,
              hint: s.type,
              icon: <ServiceIcon type={s.type} size={15} />,
              run: () => set([...ids, s.id]),
            })),
            ...(free.length ? (["line"] as const) : []),
            { label: "New service…", disabled: !canEdit && "You can look, not change.", run: () => setMaking(true) },
          ]}
          target={(p) => (
            <Chip dashed {...(of && { "aria-label": `Service for ${of}` })} {...p}>
              <IconPlus size={14} stroke={1.6} /> Service
            </Chip>
          )}
        />
      </div>
      <Suspense fallback={null}>
        {making && <NewService close={() => setMaking(false)} onAdded={(made) => set([...ids, made.id])} />}
      </Suspense>
    </>
  );
}

type NotifiedServiceProps = {
  service: { type: string; title: string } | undefined;
  id: number;
  of: string | undefined;
  drop: () => void;
};

function NotifiedService({ service, id, of, drop }: NotifiedServiceProps) {
  const title = service?.title ?? `Service ${id}`;
  return (
    <span className={classes.notified}>
      <ServiceIcon type={service?.type ?? ""} size={15} />
      <span className="cut">{title}</span>
      <IconButton label={of ? `Do not notify ${title} in ${of}` : `Do not notify ${title}`} onClick={drop}>
        <IconX size={14} stroke={1.6} />
      </IconButton>
    </span>
  );
}
