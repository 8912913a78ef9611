import { expect, test } from "vitest";
import { problemWords } from "./problemWords";

test.each([
  ["name", "is not present", "Name is missing."],
  ["conditions.metric_name", "is not present", "Metric is missing."],
  ["password", "is shorter than 10 characters", "Password is too short; it needs 10 characters."],
  ["description", "is longer than 255 characters", "Description is too long; 255 characters are allowed."],
  ["name", "is already taken", "There is already one with this name."],
  ["end_time", "is before start_time", "End must be after Start."],
  ["links.href", "is not a web address", "Address must begin with https:// or http://."],
  ["tidemark_space", "must be 1: this is not an exported space", "This is not a file that Export JSON made."],
  ["display_name", "must be a text", "Display name must be a text."],
  ["email", "You are invited already.", "You are invited already."],
])("%s %s", (field, said, want) => expect(problemWords(field, said)).toBe(want));
