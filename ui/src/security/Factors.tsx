import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { security } from "../api/security";
import { ErrorCard } from "../components/problems";
import { Skeleton } from "../components/Skeleton";
import { AuthenticatorApp } from "./AuthenticatorApp";
import { Passkeys } from "./Passkeys";
import { RecoveryCodes } from "./RecoveryCodes";
import classes from "./Security.module.css";

/** The three steps, in any order; codes appear with the first factor. */
export function Factors({ onStored }: { onStored?: () => void }) {
  const { data, error, refetch } = useQuery(security.factors);
  const [fresh, setFresh] = useState<string[]>();
  if (error) return <ErrorCard error={error} retry={refetch} what="your second factors" />;
  if (!data) return <Skeleton height={240} />;
  const factors = data.passkeys.length + Number(data.totp);
  const codes = (made: string[] | undefined) => {
    setFresh(made);
    if (!made) onStored?.();
  };
  return (
    <div className={classes.grid}>
      <div className={classes.column}>
        <Passkeys passkeys={data.passkeys} last={factors === 1} onCodes={setFresh} />
        <AuthenticatorApp on={data.totp} since={data.totp_at} last={factors === 1} onCodes={setFresh} />
      </div>
      <RecoveryCodes left={data.codes_left} needed={factors > 0} fresh={fresh} onCodes={codes} />
    </div>
  );
}
