import { inOrg } from "../lib/org";
import { withPrefix } from "../lib/prefix";
import { takeEarly } from "./early";
import { subscribe, wakeStreams } from "./streams";
import type { Answers, Bodies, Events } from "./ui.gen";

/** What the server says when it says no. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Problems by field, for forms. */
    readonly fields: Record<string, string[]> = {},
    /** The server's name for this request, for people who look into its log. */
    readonly request = "",
    /** What the interface has to do about it, where that is something. */
    readonly code = "",
  ) {
    super(message);
  }

  /** The first problem of a field, or nothing. */
  field(name: string): string | undefined {
    return this.fields[name]?.[0];
  }
}

type Problems = string | string[];
type Params = { [field: string]: Problems | Params };
type ErrorBody = { code?: string; errors?: { request?: Problems; params?: Params } | unknown[] };

/** How to get a session back while a page is open; the shell sets it. */
let signInAgain: (() => Promise<void>) | undefined;

export function onSessionLost(ask: (() => Promise<void>) | undefined): void {
  signInAgain = ask;
}

/** How to have a person prove again that it is them; what needed it is repeated then. */
let proveAgain: (() => Promise<void>) | undefined;

export function onProofNeeded(ask: (() => Promise<void>) | undefined): void {
  proveAgain = ask;
}

/** Whether an answer asks for a proof of the last minutes. */
async function wantsProof(res: Response): Promise<boolean> {
  if (res.status !== 403) return false;
  const body = (await res
    .clone()
    .json()
    .catch(() => ({}))) as ErrorBody;
  return body.code === "prove_again";
}

/** Field b of object a is "a.b". */
function byField(params: Params, of = ""): Record<string, string[]> {
  const lists = Object.entries(params).map(([name, said]) =>
    typeof said === "string" || Array.isArray(said) ? { [of + name]: [said].flat() } : byField(said, `${of}${name}.`),
  );
  return Object.assign({}, ...lists);
}

/** Reads what the server says is wrong out of an answer. */
export function problem(status: number, statusText: string, body: ErrorBody, request = "", method = "GET"): ApiError {
  const errors = Array.isArray(body.errors) ? undefined : body.errors;
  const fields = byField(errors?.params ?? {});
  const named = Object.entries(fields).map(([name, said]) => `${name} ${said.join(", ")}`);
  const message = [[errors?.request ?? []].flat(), named].flat().join("; ");
  if (status >= 500) {
    const named = request ? ` (request ${request})` : "";
    // A change may have been made before the server, or a proxy in front of it, failed.
    const check = method === "GET" ? "" : " Check whether the change was made.";
    return new ApiError(status, `The server had a problem${named}.${check}`, {}, request);
  }
  const said = message || statusText || `The server answered ${status}.`;
  return new ApiError(status, said, fields, request, body.code);
}

/** Paths begin with /v1/ or /ui/api/; the tab's organization is put before them. */
export async function call<T>(...asked: Parameters<typeof tell<T>>): Promise<T> {
  asking++;
  try {
    return await tell<T>(...asked);
  } finally {
    asking--;
  }
}

/** The only caller of fetch, by send. */
async function tell<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  decode: (res: Response) => Promise<T> = text,
  org?: string,
  seen?: number,
): Promise<T> {
  const to = inOrg(path, org);
  const once = () => send(method, to, body, signal, seen);
  let res = await once();
  if (res.status === 401 && signInAgain && !/^\/ui\/api\/(session|invite\/)/.test(path)) {
    await signInAgain();
    wakeStreams();
    res = await once();
  }
  if (proveAgain && (await wantsProof(res))) {
    await proveAgain();
    res = await once();
  }
  return res.ok ? decode(res) : refused(res, method);
}

type Bodied<R> = R extends keyof Bodies ? (Bodies[R] extends undefined ? object : { body: Bodies[R] }) : object;
type Ask = {
  /** What stands for the names in braces. */
  at?: Record<string, string | number>;
  query?: Record<string, string | number | undefined>;
  signal?: AbortSignal | undefined;
  /** Reads an answer otherwise than as one JSON document. */
  decode?: (res: Response) => Promise<unknown>;
  /** Another organization than the tab's; "" for none. */
  org?: string;
};

/** Calls one of the interface's own routes, which says what goes there and what comes back. */
export function ask<R extends keyof Answers>(
  route: R,
  ...[how]: object extends Bodied<R> ? [how?: Ask] : [how: Ask & Bodied<R>]
): Promise<Answers[R]> {
  const { at = {}, query = {}, signal, decode, org, body }: Ask & { body?: unknown } = how ?? {};
  const [method = "", pattern = ""] = route.split(" ");
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(at[name])));
  return call(
    method,
    withQuery(path, query),
    body,
    signal,
    decode as ((res: Response) => Promise<Answers[R]>) | undefined,
    org,
  );
}

let asking = 0;

/** How many requests have no answer yet. */
export const pending = () => asking;

/** When the server could last not be reached, in seconds; 0 while it answers. */
let lostSince = 0;
const watchers = new Set<() => void>();

export const connection = {
  lostSince: () => lostSince,
  watch(listener: () => void): () => void {
    watchers.add(listener);
    return () => watchers.delete(listener);
  },
};

function reached(yes: boolean): void {
  if (yes === (lostSince === 0)) return;
  lostSince = yes ? 0 : Date.now() / 1000;
  if (yes) wakeStreams();
  for (const listener of watchers) listener();
}

async function send(
  method: string,
  path: string,
  body: unknown,
  signal?: AbortSignal,
  seen?: number,
): Promise<Response> {
  try {
    const early = method === "GET" ? takeEarly(path) : undefined;
    const res = await (early ??
      fetch(withPrefix(path), {
        method,
        credentials: "same-origin",
        headers: {
          Accept: "application/json",
          ...(body !== undefined && { "Content-Type": "application/json" }),
          ...(seen && { "If-Match": `"${seen}"` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      }));
    reached(true);
    return res;
  } catch (err) {
    if (signal?.aborted) throw err;
    reached(false);
    throw new ApiError(0, "No connection to the server.");
  }
}

async function text<T>(res: Response): Promise<T> {
  const said = await res.text();
  return (said === "" ? undefined : JSON.parse(said)) as T;
}

async function refused(res: Response, method: string): Promise<never> {
  const body = (await res.json().catch(() => ({}))) as ErrorBody;
  throw problem(res.status, res.statusText, body, res.headers.get("X-Request-Id") ?? "", method);
}

type Heard<R extends string> = {
  [K in keyof Events as K extends `GET ${R} ${infer Name}` ? Name : never]: (data: Events[K]) => void;
};

/** What all pages of an organization hear alike. */
const common = "/ui/api/watch";

/** Server-sent events of a route, by name. Returns what stops listening. */
export function listen<R extends string>(route: R, on: Heard<R>, id?: number): () => void {
  const handlers = on as Record<string, ((data: unknown) => void) | undefined>;
  return subscribe(inOrg(route.replace("{id}", String(id))), route !== common, (event, data) =>
    handlers[event]?.(JSON.parse(data)),
  );
}

/** A path with its parameters; what is undefined or empty is left out. */
export function withQuery(path: string, params: Record<string, string | number | undefined>): string {
  const q = new URLSearchParams();
  for (const [k, v] of Object.entries(params)) if (v !== undefined && v !== "") q.set(k, String(v));
  const text = q.toString();
  return text ? `${path}?${text}` : path;
}
