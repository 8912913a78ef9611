import { Button } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";

/** Copies a text; says so for two seconds. */
export function CopyButton({
  text,
  label,
  filled = false,
  onCopied,
}: {
  text: string;
  label: string;
  filled?: boolean;
  onCopied?: () => void;
}) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = window.setTimeout(() => setDone(false), 2000);
    return () => window.clearTimeout(timer);
  }, [done]);
  return (
    <Button
      variant={filled ? "filled" : "default"}
      size={filled ? "sm" : "xs"}
      leftSection={<IconCopy size={15} stroke={1.6} />}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        setDone(true);
        onCopied?.();
      }}
    >
      {done ? "Copied" : label}
    </Button>
  );
}
