import { expect, test } from "vitest";
import { fieldError } from "../components/problems";
import { needs } from "./required";

const signIn = needs(["email", "password"], async (body: { email: string; password: string }) => body.email);

test("the server is asked when everything is filled in", async () => {
  await expect(signIn({ email: "ann@example.org", password: "x" })).resolves.toBe("ann@example.org");
});

test("what is empty is said at its field", async () => {
  const error = await signIn({ email: "", password: "x" }).catch((e: unknown) => e);
  expect(fieldError(error, "email")).toBe("E-mail is missing.");
  expect(fieldError(error, "password")).toBeUndefined();
});
