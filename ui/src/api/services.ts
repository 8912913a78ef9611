import { queryOptions } from "@tanstack/react-query";
import type { Delivery } from "./alerts";
import { call } from "./client";
import { resource } from "./resource";
import type { Service } from "./types";

export type ServiceField = {
  name: string;
  label: string;
  help?: string;
  required: boolean;
  secret: boolean;
  long?: boolean;
  choices?: string[];
};
export type ServiceType = { type: string; title: string; dead?: boolean; fields: ServiceField[] };
export type ServiceDraft = { type: string; title: string; settings: Record<string, string> };
export type TestResult = { ok: boolean; answer: string; duration_ms: number };

export const services = {
  ...resource<Service, ServiceDraft>("services"),
  types: queryOptions({
    queryKey: ["service_types"],
    queryFn: async ({ signal }) =>
      (await call<{ types: ServiceType[] }>("GET", "/ui/api/service_types", undefined, signal)).types,
    staleTime: Number.POSITIVE_INFINITY,
  }),
  deliveries: (id: number) =>
    queryOptions({
      queryKey: ["services", id, "deliveries"],
      queryFn: async ({ signal }) =>
        (await call<{ deliveries: Delivery[] }>("GET", `/v1/services/${id}/deliveries?length=20`, undefined, signal))
          .deliveries,
    }),
  test: (id: number) => call<TestResult>("POST", `/ui/api/services/${id}/test`),
  testDraft: (draft: ServiceDraft) => call<TestResult>("POST", "/ui/api/services/test", draft),
};
