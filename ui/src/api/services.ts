import { queryOptions } from "@tanstack/react-query";
import { ask, call } from "./client";
import { resource } from "./resource";
import type { Service } from "./types";
import type { DeliveryList } from "./types.gen";

export type ServiceDraft = { type: string; title: string; settings: Record<string, string> };

export const services = {
  ...resource<Service, ServiceDraft>("services"),
  types: queryOptions({
    queryKey: ["service_types"],
    queryFn: async ({ signal }) => (await ask("GET /ui/api/service_types", { signal })).types,
    staleTime: Number.POSITIVE_INFINITY,
  }),
  deliveries: (id: number) =>
    queryOptions({
      queryKey: ["services", id, "deliveries"],
      queryFn: async ({ signal }) =>
        (await call<DeliveryList>("GET", `/v1/services/${id}/deliveries?length=20`, undefined, signal)).deliveries,
    }),
  signing: (id: number) => ask("GET /ui/api/services/{id}/signing", { at: { id } }),
  rotateSigning: (id: number, overlap: number) =>
    ask("POST /ui/api/services/{id}/signing", { at: { id }, body: { overlap } }),
  test: (id: number) => ask("POST /ui/api/services/{id}/test", { at: { id } }),
  testDraft: (draft: ServiceDraft) => ask("POST /ui/api/services/test", { body: draft }),
};
