import { IconCircleCheck, IconCircleDot, IconDownload, IconPrinter } from "@tabler/icons-react";
import { useState } from "react";
import { useChange } from "../api/resource";
import { security } from "../api/security";
import { Button } from "../components/Button";
import { CopyButton } from "../components/CopyButton";
import { useConfirm } from "../components/confirm";
import classes from "./Security.module.css";

type Props = {
  left: number;
  /** There is a factor that the codes stand in for. */
  needed: boolean;
  /** Just made: shown once. */
  fresh: string[] | undefined;
  onCodes: (codes: string[] | undefined) => void;
};

export function RecoveryCodes({ left, needed, fresh, onCodes }: Props) {
  const make = useChange(["security"], (_: undefined) => security.newCodes());
  const confirm = useConfirm();
  const ask = () =>
    confirm({
      title: "Make new codes?",
      text: "The codes of before stop working at once.",
      action: "Make new codes",
      act: async () => onCodes((await make.mutateAsync(undefined)).codes),
    });
  return (
    <section className={classes.card} aria-labelledby="codes">
      <div className={classes.head}>
        {left > 0 && !fresh ? (
          <IconCircleCheck size={17} stroke={1.6} className={classes.done} />
        ) : (
          <IconCircleDot size={17} stroke={1.6} className={classes.open} />
        )}
        <h3 id="codes">3. Recovery codes</h3>
        {needed && <span className="t3">{`${left} left of 10`}</span>}
      </div>
      <div className={classes.body}>
        <p className="t2">
          {needed
            ? "Each works once, when you have neither passkey nor app. They are shown now and never again."
            : "They come with the first passkey or app, for when you have neither at hand."}
        </p>
        {fresh && <Fresh codes={fresh} done={() => onCodes(undefined)} />}
        {needed && !fresh && (
          <div>
            <Button variant="default" size="xs" onClick={ask}>
              Make new codes
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

function Fresh({ codes, done }: { codes: string[]; done: () => void }) {
  const [stored, setStored] = useState(false);
  const text = `${codes.join("\n")}\n`;
  const download = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = "tidemark-recovery-codes.txt";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <>
      <ul className={`mono ${classes.codes}`} aria-label="Recovery codes">
        {codes.map((c) => (
          <li key={c}>{c}</li>
        ))}
      </ul>
      <div className={classes.row}>
        <CopyButton text={text} label="Copy" />
        <Button variant="default" size="xs" leftSection={<IconDownload size={15} stroke={1.6} />} onClick={download}>
          Download
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPrinter size={15} stroke={1.6} />}
          onClick={() => window.print()}
        >
          Print
        </Button>
      </div>
      <label className={classes.check}>
        <input type="checkbox" checked={stored} onChange={(e) => setStored(e.currentTarget.checked)} />I have stored
        them where only I can reach them
      </label>
      <div>
        <Button size="xs" disabled={!stored} onClick={done}>
          Done
        </Button>
      </div>
    </>
  );
}
