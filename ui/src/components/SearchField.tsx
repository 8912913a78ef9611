import { IconSearch, IconX } from "@tabler/icons-react";
import type { ComponentProps, Ref } from "react";
import { Kbd } from "./controls";
import classes from "./SearchField.module.css";

type SearchProps = {
  value: string;
  onChange: (v: string) => void;
  placeholder: string;
  mono?: boolean;
  label?: string;
  ref?: Ref<HTMLInputElement>;
  keyHint?: string;
  autoFocus?: boolean;
  /** The id of what Enter takes. */
  chosen?: string | undefined;
  onKeyDown?: ComponentProps<"input">["onKeyDown"];
};

/** A field to look for something. "/" focuses the one that has data-page-search. */

export function SearchField({
  value,
  onChange,
  placeholder,
  mono,
  label,
  ref,
  keyHint,
  autoFocus,
  chosen,
  onKeyDown,
}: SearchProps) {
  return (
    <label className={classes.search}>
      <IconSearch size={15} stroke={1.6} aria-hidden />
      <input
        ref={ref}
        type="search"
        data-page-search
        className={mono ? "mono" : ""}
        aria-label={label ?? placeholder}
        placeholder={placeholder}
        value={value}
        spellCheck={false}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: only where searching is what the view is for
        autoFocus={autoFocus}
        data-autofocus={autoFocus}
        aria-activedescendant={chosen}
        onChange={(e) => onChange(e.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {value ? (
        <button type="button" aria-label="Clear" onClick={() => onChange("")}>
          <IconX size={14} stroke={1.6} />
        </button>
      ) : (
        keyHint && <Kbd>{keyHint}</Kbd>
      )}
    </label>
  );
}
