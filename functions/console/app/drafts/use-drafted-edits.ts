import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Draft } from './draft-store.ts';
import { drafts } from './drafts.ts';
import { restoredEdits, unsavedEdits } from './unsaved-edits.ts';

type Files = ReadonlyMap<string, string>;

const NONE: Files = new Map();

interface Stored {
  /** The component of the stored files; empty for a new source. */
  base: string;
  stored: Files;
}

interface DraftedEdits {
  /** The files that differ from the stored ones. */
  edits: Files;
  /** All files, with the edits. */
  files: Files;
  edit: (path: string, text: string) => void;
  /** The files were saved; the stored ones follow when they are read again. */
  saved: (files: Files) => void;
  discard: () => void;
  /** The draft that the edits began with. */
  draft: Draft | undefined;
  /** Whether the edits are restored when the page is opened again. */
  isKept: boolean;
}

/** Edits of files that are kept as a draft until they are saved. */
export function useDraftedEdits(id: string, { base, stored }: Stored): DraftedEdits {
  const [draft, setDraft] = useState(() => drafts.read(id));
  const [typed, setTyped] = useState(() => restoredEdits(draft, stored));
  /** Files that were saved, until the stored ones are read again. */
  const [newest, setNewest] = useState(NONE);
  const [isKept, setKept] = useState(true);
  const begunWith = useRef(draft?.base ?? base);
  const known = new Map([...stored, ...newest]);
  const edits = unsavedEdits(typed, known);

  useLayoutEffect(() => setNewest(NONE), [base]);
  // Each change is kept at once: a tab may end at any time.
  useLayoutEffect(() => {
    if (edits.size > 0) {
      setKept(drafts.write(id, { base: begunWith.current, files: edits }));
    } else {
      drafts.remove(id);
      begunWith.current = base;
    }
  }, [id, base, JSON.stringify([...edits])]);

  const end = (left: (before: Files) => Files): void => {
    drafts.remove(id);
    setDraft(undefined);
    setTyped(left);
  };
  return {
    edits,
    files: new Map([...known, ...edits]),
    edit: (path, text) => setTyped((before) => unsavedEdits(new Map(before).set(path, text), known)),
    saved: (files) => {
      setNewest(files);
      // More may have been typed since.
      end((before) => unsavedEdits(before, files));
    },
    discard: () => end(() => NONE),
    draft,
    isKept,
  };
}
