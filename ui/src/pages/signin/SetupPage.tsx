import { useMutation, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { signin } from "../../api/signin";
import { AnchorButton, Button } from "../../components/Button";
import { Field, Input } from "../../components/fields";
import { FormError, fieldError } from "../../components/problems";
import { inOrg } from "../../lib/org";
import { replaceWith, withPrefix } from "../../lib/prefix";
import { Door } from "./Door";

const fields = [
  {
    name: "org_name",
    label: "Organization",
    type: "text",
    complete: "organization",
    hint: "Your company or team, as people here call it.",
  },
  { name: "email", label: "Your e-mail", type: "email", complete: "username", hint: undefined },
  { name: "password", label: "Password", type: "password", complete: "new-password", hint: "At least 10 characters." },
] as const;

/** The first page of a new server: who owns it. */
export function SetupPage() {
  const { key } = useParams({ from: "/setup/$key" });
  const check = useQuery(signin.checkSetup(key));
  if (check.error)
    return (
      <Door title="This link does not work" lead="It was used already, or a newer one has been printed.">
        <AnchorButton href={withPrefix("/signin")} variant="default">
          Go to sign in
        </AnchorButton>
      </Door>
    );
  return (
    <Door
      title="Welcome to Tidemark"
      lead="Choose a name for your organization and how you sign in. You can invite others later."
    >
      <Form link={key} />
    </Door>
  );
}

function Form({ link }: { link: string }) {
  const [values, setValues] = useState({ org_name: "", email: "", password: "" });
  const setUp = useMutation({
    mutationFn: signin.setUp,
    // A fresh page, which nothing of before is left on.
    onSuccess: (session) => replaceWith(inOrg("/", session.org.id)),
  });
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        setUp.mutate({ key: link, ...values });
      }}
    >
      {fields.map((f, i) => (
        <Field key={f.name} label={f.label} error={fieldError(setUp.error, f.name)} hint={f.hint}>
          {(id) => (
            <Input
              id={id}
              type={f.type}
              autoComplete={f.complete}
              autoFocus={i === 0}
              value={values[f.name]}
              onChange={(e) => setValues({ ...values, [f.name]: e.currentTarget.value })}
            />
          )}
        </Field>
      ))}
      <FormError error={setUp.error} fields={fields.map((f) => f.name)} />
      <Button type="submit" fullWidth loading={setUp.isPending}>
        Create organization
      </Button>
    </form>
  );
}
