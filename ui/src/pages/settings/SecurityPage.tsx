import { useQuery } from "@tanstack/react-query";
import { security } from "../../api/security";
import { Factors } from "../../security/Factors";
import classes from "../../security/Security.module.css";
import { SettingsHead } from "./SettingsHead";

/** How a person signs in: passkeys, an app, recovery codes. */
export function SecurityPage() {
  const { data } = useQuery(security.factors);
  const demanding = data?.demanded_by ?? [];
  const steps = data && [data.passkeys.length > 0, data.totp, data.codes_left > 0].filter(Boolean).length;
  return (
    <>
      <SettingsHead title="Security" lead="How you sign in, in every organization of this server." />
      {demanding.length > 0 && (
        <div className={classes.notice}>
          <span>
            <b>{`${demanding.join(", ")} ${demanding.length === 1 ? "asks" : "ask"} for a second factor.`}</b> One
            passkey is enough.
          </span>
          <span className="t2">{`${steps} of 3 steps done`}</span>
        </div>
      )}
      <Factors />
    </>
  );
}
