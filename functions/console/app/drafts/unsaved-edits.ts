import type { Draft } from './draft-store.ts';

type Files = ReadonlyMap<string, string>;

/** The edits that differ from the stored files. */
export const unsavedEdits = (edits: Files, stored: Files): Files =>
  new Map([...edits].filter(([path, text]) => stored.get(path) !== text));

/** The edits of a draft whose files still exist. */
export const restoredEdits = (draft: Draft | undefined, stored: Files): Files =>
  unsavedEdits(new Map([...(draft?.files ?? [])].filter(([path]) => stored.has(path))), stored);
