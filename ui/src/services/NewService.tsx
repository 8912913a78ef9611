import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { services } from "../api/services";
import type { Service } from "../api/types";
import { ChooseType } from "./ChooseType";
import { ServiceDrawer } from "./ServiceDrawer";

type Props = { close: () => void; onAdded: (made: Service) => void };

/** A new service over another page, which stays as it is: first its kind, then its form. */
export default function NewService({ close, onAdded }: Props) {
  const [chosen, setChosen] = useState("");
  const { data: types } = useQuery(services.types);
  const { data: list } = useQuery(services.list());
  const type = types?.find((t) => t.type === chosen);
  if (!types) return null;
  if (!type) return <ChooseType types={types} choose={setChosen} close={close} />;
  return <ServiceDrawer type={type} others={list?.items ?? []} close={close} onAdded={onAdded} />;
}
