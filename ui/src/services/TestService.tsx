import { IconFlask } from "@tabler/icons-react";
import { useChange } from "../api/resource";
import { type ServiceDraft, services } from "../api/services";
import type { Service } from "../api/types";
import { Button } from "../components/Button";
import { took } from "../lib/format";
import own from "./Services.module.css";

/** Sends a test: by what is stored, or by the form while it differs. */
export function useTest(service: Service | undefined, draft: ServiceDraft, changed: boolean) {
  return useChange(["services", service?.id ?? 0, "deliveries"], (_: undefined) =>
    service && !changed ? services.test(service.id) : services.testDraft(draft),
  );
}

type Props = {
  test: ReturnType<typeof useTest>;
  run: () => void;
  /** The form differs from what is stored. */
  changed: boolean;
  isNew: boolean;
  /** The form has masks in the place of secrets. */
  masked: boolean;
};

/** The button, and the answer where it was asked for. What is wrong with a field is said at the field. */
export function TestService({ test, run, changed, isNew, masked }: Props) {
  // Members do not see the secrets, so they have no complete draft to send.
  const blocked = !isNew && changed && masked;
  return (
    <div className={own.test}>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconFlask size={15} stroke={1.6} />}
        loading={test.isPending}
        disabled={blocked}
        data-tip={blocked ? "Save the changes first." : undefined}
        onClick={run}
      >
        Send test
      </Button>
      <span role="status">
        {test.data && (
          <span className={test.data.ok ? own.grn : own.red}>
            {`${test.data.answer} in ${took(test.data.duration_ms)}`}
          </span>
        )}
        {!test.data && (
          <span className="t3">
            {changed ? "Tests what is in the form." : "Sends a message that says it is a test."}
          </span>
        )}
      </span>
    </div>
  );
}
