import { IconWand } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { templates } from "../../api/spaces";
import { Button } from "../../components/Button";
import { Notice } from "../../components/Notice";
import { arrives } from "../../components/ReadySpaces";

const key = (id: number) => `tidemark.made.${id}`;

/** Says of a ready space what it was made of, and that it grows, until whoever looks has read it. */
export default function MadeNotice({ id }: { id: number }) {
  const navigate = useNavigate();
  const [read, setRead] = useState(() => localStorage.getItem(key(id)) !== null);
  const { data } = useQuery({ ...templates.all, enabled: !read, staleTime: 60_000 });
  const made = data?.templates.find((t) => t.made && t.space === id);
  if (read || !made) return null;
  const dismiss = () => {
    localStorage.setItem(key(id), "read");
    setRead(true);
  };
  return (
    <Notice
      icon={<IconWand size={18} stroke={1.6} aria-hidden />}
      actions={
        <>
          {made.name === "hosts" && (
            <Button variant="default" size="xs" onClick={() => void navigate({ to: "/send" })}>
              Watch another machine
            </Button>
          )}
          <Button variant="default" size="xs" onClick={dismiss}>
            Hide this
          </Button>
        </>
      }
    >
      <b>Made from what arrives.</b>
      {` ${arrives(made)} New ones appear here by themselves.`}
    </Notice>
  );
}
