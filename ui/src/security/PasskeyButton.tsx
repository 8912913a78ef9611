import { IconFingerprint } from "@tabler/icons-react";
import { Button } from "../components/Button";

type Props = { label: string; loading: boolean; onClick: () => void; quiet?: boolean };

export const PasskeyButton = ({ label, loading, onClick, quiet = false }: Props) => (
  <Button
    variant={quiet ? "default" : "filled"}
    leftSection={<IconFingerprint size={17} stroke={1.6} />}
    loading={loading}
    onClick={onClick}
  >
    {label}
  </Button>
);
