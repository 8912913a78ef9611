import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { services } from "../api/services";
import type { Names } from "./words";

/** What services are called, where a version names some. */
export function useNames(enabled: boolean): Names {
  const { data } = useQuery({ ...services.list(), enabled });
  return useMemo(
    () => ({ service: (id) => data?.items.find((s) => s.id === id)?.title ?? `a service that is deleted (${id})` }),
    [data],
  );
}
