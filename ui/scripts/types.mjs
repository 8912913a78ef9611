// Writes src/api/types.gen.ts from docs/openapi.yaml: one type for each schema,
// with its words. With --check it only says whether the file is current.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const { components } = parse(readFileSync(at("../../docs/openapi.yaml"), "utf8"));
const out = at("../src/api/types.gen.ts");

const plain = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
  object: "Record<string, unknown>",
};
const quoted = (key) => (/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key));
const union = (types) => [...new Set(types)].join(" | ");
const grouped = (type) => (/ [|&] /.test(type) ? `(${type})` : type);

function comment(text, pad) {
  return text ? `${pad}/** ${text.trim().replace(/\s+/g, " ").replaceAll("*/", "* /")} */\n` : "";
}

/** The type of a schema, as TypeScript has it. */
function typeOf(schema, pad = "") {
  if (schema === true || !schema) return "unknown";
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.oneOf ?? schema.anyOf) return union((schema.oneOf ?? schema.anyOf).map((s) => typeOf(s, pad)));
  if (schema.allOf) return schema.allOf.map((s) => grouped(typeOf(s, pad))).join(" & ");
  if (schema.enum) return union(schema.enum.map((v) => JSON.stringify(v)));
  const types = [schema.type ?? (schema.properties ? "object" : "unknown")].flat();
  return union(
    types.map((t) =>
      t === "array" ? listOf(schema, pad) : t === "object" ? objectOf(schema, pad) : (plain[t] ?? "unknown"),
    ),
  );
}

function listOf(schema, pad) {
  const item = typeOf(schema.items, pad);
  const { minItems: n, maxItems } = schema;
  return n && n === maxItems && n < 5 ? `[${Array(n).fill(item).join(", ")}]` : `${grouped(item)}[]`;
}

function objectOf(schema, pad) {
  const rest = schema.additionalProperties;
  if (!schema.properties) return rest && rest !== true ? `Record<string, ${typeOf(rest, pad)}>` : plain.object;
  const inner = `${pad}  `;
  const lines = Object.entries(schema.properties).map(([key, s]) => {
    const optional = schema.required?.includes(key) ? "" : "?";
    return `${comment(s.description, inner)}${inner}${quoted(key)}${optional}: ${typeOf(s, inner)};\n`;
  });
  if (rest && rest !== true) lines.push(`${inner}[key: string]: ${union([typeOf(rest, inner), "unknown"])};\n`);
  return `{\n${lines.join("")}${pad}}`;
}

const types = Object.entries(components.schemas).map(
  ([name, s]) => `${comment(s.description, "")}export type ${name} = ${typeOf(s)};\n`,
);
const text = `// Made by npm run types from docs/openapi.yaml. Do not edit.\n\n${types.join("\n")}`;

if (process.argv.includes("--check")) {
  if (readFileSync(out, "utf8") !== text) {
    console.error("src/api/types.gen.ts is not what docs/openapi.yaml says: run npm run types");
    process.exit(1);
  }
} else writeFileSync(out, text);
