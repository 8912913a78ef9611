import { ApiError } from "./client";

/** What is wrong with the fields of a form, found before the server is asked. */
export const wrongFields = (said: Record<string, string>): ApiError =>
  new ApiError(422, "", Object.fromEntries(Object.entries(said).map(([field, text]) => [field, [text]])));

/**
 * Asks the server when these fields are filled in, and says which are not as
 * it would: for what it answers otherwise, or counts as a try.
 */
export const needs =
  <Body extends object, Answer>(fields: (keyof Body & string)[], ask: (body: Body) => Promise<Answer>) =>
  (body: Body): Promise<Answer> => {
    const empty = fields.filter((f) => body[f] === "");
    if (empty.length === 0) return ask(body);
    return Promise.reject(wrongFields(Object.fromEntries(empty.map((f) => [f, "is not present"]))));
  };
