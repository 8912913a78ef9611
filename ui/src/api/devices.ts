import { queryOptions } from "@tanstack/react-query";
import { browserName } from "../lib/browser";
import { fingerprint, subscribe, subscription } from "../push/subscription";
import { ask } from "./client";
import type { Device, DeviceUpdate } from "./ui.gen";

export type Wanted = Pick<Device, "severity" | "cleared" | "labels" | "quiet">;

/** The browsers and phones on which a person is notified. */
export const devices = {
  list: queryOptions({
    queryKey: ["devices"],
    queryFn: ({ signal }) => ask("GET /ui/api/devices", { signal }),
  }),
  /** Which of them this is: its fingerprint, or "". */
  own: queryOptions({
    queryKey: ["devices", "own"],
    queryFn: async () => {
      const has = await subscription();
      return has ? fingerprint(has.endpoint) : "";
    },
  }),
  add: async ({ key, ...wanted }: Wanted & { key: string }) => {
    const { endpoint = "", keys = {} } = (await subscribe(key)).toJSON();
    const { p256dh = "", auth = "" } = keys;
    const name = browserName(navigator.userAgent);
    return ask("POST /ui/api/devices", { body: { ...wanted, name, endpoint, p256dh, auth } });
  },
  change: ({ id, ...body }: { id: number } & DeviceUpdate) => ask("PUT /ui/api/devices/{id}", { at: { id }, body }),
  remove: (id: number) => ask("DELETE /ui/api/devices/{id}", { at: { id } }),
  test: (id: number) => ask("POST /ui/api/devices/{id}/test", { at: { id } }),
};
