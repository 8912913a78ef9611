import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "../../../api/resource";
import { tokens } from "../../../api/tokens";
import type { Token } from "../../../api/types.gen";
import type { TokenSummary } from "../../../api/ui.gen";
import { Button, LinkButton } from "../../../components/Button";
import { EmptyState } from "../../../components/EmptyState";
import { Select } from "../../../components/fields";
import { ErrorCard, FormError } from "../../../components/problems";
import { SkeletonRows } from "../../../components/Skeleton";
import classes from "../../../components/settingsPages.module.css";
import { overlaps } from "../../../lib/overlaps";
import { Crumb } from "./Crumb";
import { Secret } from "./Secret";
import { Senders } from "./Senders";
import { useToken } from "./useToken";

/** A new value for a token, while the old one goes on for a while. A page, as it ends with a secret. */
export function RotatePage() {
  const { id } = useParams({ from: "/shell/settings/tokens/$id/rotate" });
  const list = useQuery(tokens.list);
  const token = useToken(id);
  if (list.error) return <ErrorCard error={list.error} retry={list.refetch} what="the token" />;
  if (token === undefined) return <SkeletonRows rows={3} />;
  if (token === null) return <EmptyState title="There is no such token. It may have been deleted." />;
  return <Rotate token={token} />;
}

function Rotate({ token }: { token: TokenSummary }) {
  const navigate = useNavigate();
  const [overlap, setOverlap] = useState("86400");
  const [fresh, setFresh] = useState<Token>();
  const rotate = useChange(["tokens"], tokens.rotate);
  const details = () => navigate({ to: "/settings/tokens/$id", params: { id: String(token.id) } });
  if (fresh)
    return (
      <>
        <Crumb />
        <h2 className={classes.step}>{token.name} has a new value</h2>
        <Secret token={fresh} done={details} />
      </>
    );
  return (
    <>
      <Crumb />
      <h2 className={classes.step}>Rotate {token.name}</h2>
      <form
        noValidate
        className={classes.form}
        style={{ marginTop: 12 }}
        onSubmit={(e) => {
          e.preventDefault();
          rotate.mutate({ id: token.id, overlap: Number(overlap) }, { onSuccess: setFresh });
        }}
      >
        <p className="t2">
          Make a new value. The old one keeps working for{" "}
          <Select
            small
            aria-label="How long the old value keeps working"
            value={overlap}
            onChange={setOverlap}
            options={overlaps}
          />
          , so you can change agents one by one.
        </p>
        {overlap === "0" && token.senders > 0 && (
          <p className={classes.amber}>Everything below is refused at once, until it has the new value.</p>
        )}
        <div>
          <div className={classes.section} style={{ marginTop: 0 }}>
            <h3>Seen using it, last 30 days</h3>
          </div>
          <Senders token={token} />
        </div>
        <FormError error={rotate.error} />
        <div style={{ display: "flex", gap: 10 }}>
          <Button type="submit" loading={rotate.isPending}>
            Make a new value
          </Button>
          <LinkButton variant="subtle" to={`/settings/tokens/${token.id}`}>
            Cancel
          </LinkButton>
        </div>
      </form>
    </>
  );
}
