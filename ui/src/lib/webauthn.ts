/** Passkeys: what the server wants of the browser, and what the browser says, as JSON texts. */

export const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

export const toText = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Browsers have passkeys on pages over TLS, and for names only. */
export const passkeysWork = (): boolean =>
  window.isSecureContext && "PublicKeyCredential" in window && !/^[\d.]+$|:/.test(window.location.hostname);

type Descriptor = { id: string; type: "public-key"; transports?: AuthenticatorTransport[] };
const descriptors = (list: Descriptor[] = []): PublicKeyCredentialDescriptor[] =>
  list.map((d) => ({ ...d, id: toBytes(d.id) }));

type CreationJSON = Omit<PublicKeyCredentialCreationOptions, "challenge" | "user" | "excludeCredentials"> & {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials?: Descriptor[];
};
type RequestJSON = Omit<PublicKeyCredentialRequestOptions, "challenge" | "allowCredentials"> & {
  challenge: string;
  allowCredentials?: Descriptor[];
};

/** The words of a browser that has no passkey, or whose owner changed their mind. */
function given(got: Credential | null): PublicKeyCredential {
  if (!got) throw new Error("No passkey was chosen.");
  return got as PublicKeyCredential;
}

async function explained<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (err) {
    const name = err instanceof Error ? err.name : "";
    if (name === "InvalidStateError") throw new Error("This device has a passkey for you already.");
    if (name === "NotAllowedError") throw new Error("No passkey was used. Try again, or another way.");
    throw err;
  }
}

const said = (c: PublicKeyCredential, response: object): string =>
  JSON.stringify({
    id: c.id,
    rawId: toText(c.rawId),
    type: c.type,
    authenticatorAttachment: c.authenticatorAttachment ?? undefined,
    clientExtensionResults: {},
    response,
  });

/** Makes a passkey as the options of the server want it. */
export async function makePasskey(options: string): Promise<string> {
  const o = JSON.parse(options) as CreationJSON;
  const publicKey = {
    ...o,
    challenge: toBytes(o.challenge),
    user: { ...o.user, id: toBytes(o.user.id) },
    excludeCredentials: descriptors(o.excludeCredentials),
  };
  const made = given(await explained(navigator.credentials.create({ publicKey })));
  const r = made.response as AuthenticatorAttestationResponse;
  return said(made, {
    clientDataJSON: toText(r.clientDataJSON),
    attestationObject: toText(r.attestationObject),
    transports: r.getTransports?.() ?? [],
  });
}

/** Answers a challenge of the server with a passkey. */
export async function answerPasskey(options: string): Promise<string> {
  const o = JSON.parse(options) as RequestJSON;
  const publicKey = { ...o, challenge: toBytes(o.challenge), allowCredentials: descriptors(o.allowCredentials) };
  const got = given(await explained(navigator.credentials.get({ publicKey })));
  const r = got.response as AuthenticatorAssertionResponse;
  return said(got, {
    clientDataJSON: toText(r.clientDataJSON),
    authenticatorData: toText(r.authenticatorData),
    signature: toText(r.signature),
    ...(r.userHandle && { userHandle: toText(r.userHandle) }),
  });
}
