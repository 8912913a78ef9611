import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { members } from "../../api/org";
import { spaces } from "../../api/spaces";
import type { Space } from "../../api/types";
import { Field, Select } from "../../components/fields";
import { fieldError } from "../../components/problems";
import { TagField } from "../../components/TagField";
import { FormDialog } from "../../dialogs/FormDialog";

/** What lists of spaces sort and filter by. */
export function AboutDialog({ space, close }: { space: Space; close: () => void }) {
  const { data } = useQuery(spaces.all);
  const people = useQuery(members.list);
  const is = data?.spaces.find((s) => s.id === space.id);
  const [tags, setTags] = useState<string[]>();
  const [owner, setOwner] = useState<string>();
  const known = [...new Set(data?.spaces.flatMap((s) => s.tags))].sort();
  return (
    <FormDialog
      title={`Tags and owner of “${space.name}”`}
      action="Save"
      close={close}
      fields={["tags", "owner"]}
      disabled={!is}
      run={() =>
        spaces.about(space.id, { ...(tags && { tags }), ...(owner !== undefined && { owner: Number(owner) }) })
      }
    >
      {(error) => (
        <>
          <TagField
            tags={tags ?? is?.tags ?? []}
            onChange={setTags}
            known={known}
            error={fieldError(error, "tags")}
            hint="Lists are filtered by them, such as checkout or on call."
          />
          <Field label="Owner" hint="Whom to ask about it." error={fieldError(error, "owner")}>
            {(id) => (
              <Select
                id={id}
                value={owner ?? String(is?.owner ?? 0)}
                onChange={setOwner}
                options={[
                  { value: "0", label: "Nobody" },
                  ...(people.data ?? []).map((m) => ({ value: String(m.user_id), label: m.email })),
                ]}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
