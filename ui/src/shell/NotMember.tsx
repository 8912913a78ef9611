import { useQuery } from "@tanstack/react-query";
import { ownSession } from "../api/session";
import { EmptyState } from "../components/EmptyState";
import { usePageTitle } from "../components/Page";
import { inOrg, tabOrg } from "../lib/org";
import { withPrefix } from "../lib/prefix";

/** The address names an organization that is not one's own, or none at all. */
export default function NotMember() {
  usePageTitle("Not a member");
  const { data } = useQuery(ownSession);
  return (
    <main>
      <EmptyState
        heading
        title={`You are not a member of organization ${tabOrg()}.`}
        actions={data?.orgs.map((o) => <a key={o.id} href={withPrefix(inOrg("/", o.id))}>{`Switch to ${o.name}`}</a>)}
      >
        {data ? `Ask one of its Admins to invite ${data.user.email}.` : "Ask one of its Admins to invite you."}
      </EmptyState>
    </main>
  );
}
