import { FileButton, Textarea, TextInput } from "@mantine/core";
import { Button } from "../../components/Button";
import "@mantine/core/styles/Input.layer.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { annotations } from "../../api/annotations";
import { charts, spaces } from "../../api/spaces";
import type { Chart, Space } from "../../api/types";
import { Modal } from "../../components/overlays";
import { FormError, fieldError } from "../../components/parts";
import type { Filter } from "../../lib/filters";
import { count, dayAndClock } from "../../lib/format";
import { note } from "../../notes/notes";
import { parseMoment } from "../../time/range";
import classes from "./Dialogs.module.css";
import { ShareDialog } from "./ShareDialog";
import type { DialogName } from "./SpaceView";
import { draftOf } from "./useCardActions";

type Props = { dialog: DialogName; space: Space; filters: Filter[]; sources: string[]; close: () => void };

/** Everything that opens over a space. */
export default function Dialogs({ dialog, space, filters, sources, close }: Props) {
  switch (dialog.kind) {
    case "share":
      return <ShareDialog space={space} filters={filters} close={close} />;
    case "rename":
      return (
        <NameDialog
          title={`Rename “${space.name}”`}
          action="Rename space"
          initial={space.name}
          close={close}
          run={(name) => spaces.update({ id: space.id, name })}
        />
      );
    case "duplicate":
      return <Duplicate space={space} close={close} />;
    case "delete":
      return <Delete space={space} close={close} />;
    case "import":
      return <ImportDialog close={close} />;
    case "move":
      return <Move space={space} chart={dialog.chart} close={close} />;
    case "annotate":
      return <Annotate at={dialog.time} sources={sources} close={close} />;
  }
}

type FormProps = {
  title: string;
  action: string;
  close: () => void;
  run: () => Promise<unknown>;
  children: (error: unknown) => ReactNode;
  fields?: string[];
  disabled?: boolean;
  danger?: boolean;
  then?: string;
};

/** A dialog with one thing to do: what goes wrong is said inside it. */
export function FormDialog({
  title,
  action,
  close,
  run,
  children,
  fields = [],
  disabled = false,
  danger = false,
}: FormProps) {
  const client = useQueryClient();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  return (
    <Modal opened onClose={close} title={title}>
      <form
        className={classes.form}
        onSubmit={async (e) => {
          e.preventDefault();
          setBusy(true);
          try {
            await run();
            await client.invalidateQueries({ queryKey: ["spaces"] });
            close();
          } catch (err) {
            setError(err);
          }
          setBusy(false);
        }}
      >
        {children(error)}
        <FormError error={error} fields={fields} />
        <div className={classes.actions}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={disabled} {...(danger && { color: "ember" })}>
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

export function NameDialog({
  title,
  action,
  initial,
  close,
  run,
}: {
  title: string;
  action: string;
  initial: string;
  close: () => void;
  run: (name: string) => Promise<unknown>;
}) {
  const [name, setName] = useState(initial);
  return (
    <FormDialog
      title={title}
      action={action}
      close={close}
      run={() => run(name.trim())}
      fields={["name"]}
      disabled={name.trim() === ""}
    >
      {(error) => (
        <TextInput
          label="Name"
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
          error={fieldError(error, "name")}
          data-autofocus
          autoComplete="off"
        />
      )}
    </FormDialog>
  );
}

function Duplicate({ space, close }: { space: Space; close: () => void }) {
  const navigate = useNavigate();
  return (
    <NameDialog
      title={`Duplicate “${space.name}”`}
      action="Duplicate space"
      initial={`${space.name} copy`}
      close={close}
      run={async (name) => {
        const made = await spaces.duplicate(space.id, name);
        await navigate({ to: "/spaces/$id", params: { id: String(made.id) } });
      }}
    />
  );
}

function Delete({ space, close }: { space: Space; close: () => void }) {
  const navigate = useNavigate();
  const { data } = useQuery(charts.of(space.id));
  return (
    <FormDialog
      title={`Delete “${space.name}”?`}
      action="Delete space"
      danger
      close={close}
      run={async () => {
        const backup = await spaces.export(space.id);
        await spaces.remove(space.id);
        await navigate({ to: "/spaces" });
        note(`${space.name} deleted`, {
          undo: () =>
            void spaces.import(backup).then((s) => navigate({ to: "/spaces/$id", params: { id: String(s.id) } })),
        });
      }}
    >
      {() => (
        <p className="t2">{`Its ${count(data?.length ?? 0, "chart")} and its share links go with it. Metrics and their measurements stay.`}</p>
      )}
    </FormDialog>
  );
}

export function ImportDialog({ close }: { close: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  return (
    <FormDialog
      title="Import a space"
      action="Import space"
      close={close}
      disabled={text.trim() === ""}
      run={async () => {
        let document: unknown;
        try {
          document = JSON.parse(text);
        } catch {
          setProblem("This is not JSON.");
          throw new Error("The text could not be read.");
        }
        const made = await spaces.import(document);
        await navigate({ to: "/spaces/$id", params: { id: String(made.id) } });
      }}
    >
      {() => (
        <>
          <p className="t2">A file that Export JSON made, here or on another server. It becomes a new space.</p>
          <FileButton accept="application/json,.json" onChange={async (f) => setText((await f?.text()) ?? "")}>
            {(props) => (
              <Button variant="default" {...props}>
                Choose a file…
              </Button>
            )}
          </FileButton>
          <Textarea
            label="Or paste it"
            autosize={false}
            rows={8}
            value={text}
            onChange={(e) => setText(e.currentTarget.value)}
            error={problem}
            classNames={{ input: "mono" }}
            spellCheck={false}
          />
        </>
      )}
    </FormDialog>
  );
}

function Move({ space, chart, close }: { space: Space; chart: Chart; close: () => void }) {
  const { data } = useQuery(spaces.all);
  const others = data?.spaces.filter((s) => s.id !== space.id) ?? [];
  const [to, setTo] = useState("");
  return (
    <FormDialog
      title={`Move “${chart.name}” to a space`}
      action="Move chart"
      close={close}
      disabled={to === ""}
      run={async () => {
        await charts.create(Number(to), draftOf(chart));
        await charts.remove(space.id, chart.id);
        note(`${chart.name} moved to ${others.find((s) => s.id === Number(to))?.name}`);
      }}
    >
      {() => (
        <label className={classes.select}>
          Space
          <select value={to} onChange={(e) => setTo(e.currentTarget.value)}>
            <option value="">Choose a space</option>
            {others.map((s) => (
              <option key={s.id} value={s.id}>
                {s.name}
              </option>
            ))}
          </select>
        </label>
      )}
    </FormDialog>
  );
}

function Annotate({ at, sources, close }: { at: number; sources: string[]; close: () => void }) {
  const client = useQueryClient();
  const [title, setTitle] = useState("");
  const [stream, setStream] = useState(sources[0] ?? "events");
  const [start, setStart] = useState(dayAndClock(at));
  const [end, setEnd] = useState("");
  const [link, setLink] = useState("");
  const now = Date.now() / 1000;
  const begin = parseMoment(start, now);
  const finish = end.trim() === "" ? null : parseMoment(end, now);
  return (
    <FormDialog
      title="What happened?"
      action="Add annotation"
      close={close}
      fields={["title"]}
      disabled={title.trim() === "" || begin === undefined || finish === undefined}
      run={async () => {
        await annotations.add(stream.trim(), {
          title: title.trim(),
          start_time: Math.round(begin ?? at),
          ...(finish != null && { end_time: Math.round(finish) }),
          ...(link.trim() && { links: [{ rel: "link", label: null, href: link.trim() }] }),
        });
        await client.invalidateQueries({ queryKey: ["annotations"] });
      }}
    >
      {(error) => (
        <>
          <TextInput
            label="Title"
            value={title}
            onChange={(e) => setTitle(e.currentTarget.value)}
            error={fieldError(error, "title")}
            data-autofocus
          />
          <div className={classes.two}>
            <TextInput
              label="Time"
              value={start}
              onChange={(e) => setStart(e.currentTarget.value)}
              error={begin === undefined && "This is not a time."}
            />
            <TextInput
              label="End"
              placeholder="none"
              value={end}
              onChange={(e) => setEnd(e.currentTarget.value)}
              error={finish === undefined && "This is not a time."}
            />
          </div>
          <TextInput
            label="Stream"
            value={stream}
            onChange={(e) => setStream(e.currentTarget.value)}
            classNames={{ input: "mono" }}
          />
          <TextInput
            label="Link"
            placeholder="https://"
            value={link}
            onChange={(e) => setLink(e.currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  );
}
