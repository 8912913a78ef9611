import { load } from "./parts.mjs";

await load(true);
