import { useState } from 'preact/hooks';

export interface Chosen {
  ids: ReadonlySet<string>;
  toggle: (id: string) => void;
  /** Chooses these, or none when all of them are chosen. */
  toggleAll: (ids: readonly string[]) => void;
  /** Other rows may have been ticked meanwhile: they stay. */
  untick: (ids: readonly string[]) => void;
}

/** The rows of a list that a person has ticked. */
export function useChosen(): Chosen {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids,
    toggle: (id) => {
      setIds((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]));
    },
    toggleAll: (all) => setIds((before) => new Set(all.every((id) => before.has(id)) ? [] : all)),
    untick: (done) => setIds((before) => new Set([...before].filter((id) => !done.includes(id)))),
  };
}
