import { queryOptions } from "@tanstack/react-query";
import { answerPasskey, makePasskey } from "../lib/webauthn";
import { ask } from "./client";
import type { ProofBody } from "./ui.gen";

/** Second factors, and proving who one is. */
export const security = {
  factors: queryOptions({
    queryKey: ["security"],
    queryFn: ({ signal }) => ask("GET /ui/api/second_factor", { signal }),
  }),
  beginApp: () => ask("POST /ui/api/second_factor/totp"),
  confirmApp: (code: string) => ask("PUT /ui/api/second_factor/totp", { body: { code } }),
  removeApp: () => ask("DELETE /ui/api/second_factor/totp"),
  newCodes: () => ask("POST /ui/api/second_factor/codes"),
  /** Has the browser make a passkey. It is kept once it has a name. */
  makePasskey: async () => {
    const { key, options } = await ask("POST /ui/api/second_factor/passkeys/challenge");
    return { key, credential: await makePasskey(options) };
  },
  addPasskey: (body: { name: string; key: string; credential: string }) =>
    ask("POST /ui/api/second_factor/passkeys", { body }),
  renamePasskey: ({ id, name }: { id: number; name: string }) =>
    ask("PUT /ui/api/second_factor/passkeys/{id}", { at: { id }, body: { name } }),
  removePasskey: (id: number) => ask("DELETE /ui/api/second_factor/passkeys/{id}", { at: { id } }),
};

/** The second step of signing in, and signing in with a passkey alone. Its cookie knows no organization. */
export const step = {
  asked: queryOptions({
    queryKey: ["signin", "second"],
    queryFn: ({ signal }) => ask("GET /ui/api/session/second", { signal, org: "" }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  }),
  withCode: (code: string) => ask("POST /ui/api/session/second", { body: { code }, org: "" }),
  withPasskey: async () => {
    const { key, options } = await ask("POST /ui/api/session/second/passkey", { org: "" });
    return ask("PUT /ui/api/session/second/passkey", {
      body: { key, credential: await answerPasskey(options) },
      org: "",
    });
  },
  passkeyAlone: async () => {
    const { key, options } = await ask("POST /ui/api/session/passkey");
    return ask("PUT /ui/api/session/passkey", { body: { key, credential: await answerPasskey(options) } });
  },
};

/** Proving again that it is you. */
export const proof = {
  asked: queryOptions({
    queryKey: ["proof"],
    queryFn: ({ signal }) => ask("GET /ui/api/proof", { signal }),
    staleTime: 0,
  }),
  prove: (body: ProofBody) => ask("POST /ui/api/proof", { body }),
  withPasskey: async () => {
    const { key, options } = await ask("POST /ui/api/proof/passkey");
    return ask("POST /ui/api/proof", { body: { key, credential: await answerPasskey(options) } });
  },
};
