import { IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Button } from "./Button";

/** Browsers give pages without TLS no clipboard; the old way still works there. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  field.setAttribute("readonly", "");
  field.className = "sr";
  const before = document.activeElement;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!done) throw new Error("The browser does not allow copying.");
}

type Props = { text: string; label: string; filled?: boolean; large?: boolean; onCopied?: () => void };

/** Copies a text; says so for two seconds. */
export function CopyButton({ text, label, filled = false, large = filled, onCopied }: Props) {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (!said) return;
    const timer = window.setTimeout(() => setSaid(undefined), 2000);
    return () => window.clearTimeout(timer);
  }, [said]);
  const run = async () => {
    try {
      await copy(text);
      setSaid("Copied");
      onCopied?.();
    } catch {
      setSaid("Select it and copy");
    }
  };
  return (
    <Button
      variant={filled ? "filled" : "default"}
      size={large ? "sm" : "xs"}
      leftSection={<IconCopy size={15} stroke={1.6} />}
      onClick={run}
    >
      {said ?? label}
    </Button>
  );
}
