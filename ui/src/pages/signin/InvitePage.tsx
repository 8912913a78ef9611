import { useMutation, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError, withQuery } from "../../api/client";
import { needs } from "../../api/required";
import { signin } from "../../api/signin";
import type { Invited } from "../../api/ui.gen";
import { AnchorButton, Button } from "../../components/Button";
import { Chip } from "../../components/controls";
import { Field, Input } from "../../components/fields";
import { FormError, fieldError } from "../../components/problems";
import { day } from "../../lib/format";
import { roleOf } from "../../lib/memberRoles";
import { inOrg } from "../../lib/org";
import { replaceWith, withPrefix } from "../../lib/prefix";
import { Door } from "./Door";
import classes from "./Door.module.css";

/** Where an invitation leads: what one is invited to, and how one joins. */
export function InvitePage() {
  const { key } = useParams({ from: "/invite/$key" });
  const { data, error } = useQuery(signin.invited(key));
  if (error)
    return (
      <Door
        title="This invitation does not work"
        lead="It was used, taken back or replaced by a newer one, or its time is over. Ask whoever invited you for another."
      >
        <AnchorButton href={withPrefix("/signin")} variant="default">
          Go to sign in
        </AnchorButton>
      </Door>
    );
  if (!data) return null;
  return (
    <Door title={`Join ${data.org_name}`} lead={`You are invited. This link works until ${day(data.expires_at)}.`}>
      <dl className={classes.facts}>
        <dt>E-mail</dt>
        <dd>{data.email}</dd>
        <dt>Role</dt>
        <dd>
          {roleOf(data.role).label}
          <span className="t2">{roleOf(data.role).sentence}</span>
        </dd>
      </dl>
      {data.signed_in ? <Accept link={key} /> : <Join link={key} invited={data} />}
    </Door>
  );
}

function useJoin() {
  return useMutation({
    // Of people who are new the server says all that is missing; of others an empty password is a try.
    mutationFn: (body: Parameters<typeof signin.join>[0]) =>
      body.new ? signin.join(body) : needs(["password"], signin.join)(body),
    // A fresh page, which nothing of before is left on.
    onSuccess: (session) => replaceWith(inOrg("/", session.org.id)),
    // The second step accepts the invitation.
    onError: (err) => {
      if (err instanceof ApiError && err.code === "second_step") replaceWith("/signin/second");
    },
  });
}

/** A session with that address needs no password. */
function Accept({ link }: { link: string }) {
  const join = useJoin();
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        join.mutate({ key: link });
      }}
    >
      <FormError error={join.error} />
      <Button type="submit" fullWidth loading={join.isPending}>
        Join
      </Button>
    </form>
  );
}

/** Others say whether they have an account: the invitation does not know. */
function Join({ link, invited }: { link: string; invited: Invited }) {
  const { data: options } = useQuery(signin.options);
  return (
    <>
      {options?.oidc && (
        <>
          <AnchorButton
            href={withPrefix(withQuery("/ui/api/oidc/start", { next: `/invite/${link}` }))}
            variant="default"
            fullWidth
          >
            {options.oidc.title}
          </AnchorButton>
          {options.passwords && <span className={classes.or}>or</span>}
        </>
      )}
      {options?.passwords !== false && <WithPassword link={link} email={invited.email} />}
    </>
  );
}

function WithPassword({ link, email }: { link: string; email: string }) {
  const [isNew, setNew] = useState(true);
  return (
    <>
      <fieldset className={classes.choice} aria-label="Your account">
        <Chip active={isNew} aria-pressed={isNew} onClick={() => setNew(true)}>
          I am new here
        </Chip>
        <Chip active={!isNew} aria-pressed={!isNew} onClick={() => setNew(false)}>
          I have an account
        </Chip>
      </fieldset>
      <JoinForm key={String(isNew)} link={link} email={email} isNew={isNew} />
    </>
  );
}

function JoinForm({ link, email, isNew }: { link: string; email: string; isNew: boolean }) {
  const join = useJoin();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        join.mutate(isNew ? { key: link, new: true, name, password } : { key: link, password });
      }}
    >
      {/* For password managers, which keep a password by its address. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      {isNew && (
        <Field label="Your name" error={fieldError(join.error, "name")} hint="As the others here see it.">
          {(id) => (
            <Input
              id={id}
              autoComplete="name"
              autoFocus
              value={name}
              onChange={(e) => setName(e.currentTarget.value)}
            />
          )}
        </Field>
      )}
      <Field
        label="Password"
        error={fieldError(join.error, "password")}
        hint={isNew ? "At least 10 characters." : `The one you sign in with as ${email}.`}
      >
        {(id) => (
          <Input
            id={id}
            type="password"
            autoComplete={isNew ? "new-password" : "current-password"}
            autoFocus={!isNew}
            value={password}
            onChange={(e) => setPassword(e.currentTarget.value)}
          />
        )}
      </Field>
      <FormError error={join.error} fields={["name", "password"]} />
      <Button type="submit" fullWidth loading={join.isPending}>
        Join
      </Button>
    </form>
  );
}
