/** Code that was typed and not saved. */
export interface Draft {
  /** Time of the last change, epoch ms. */
  at: number;
  /** The component that was changed; empty for a new source. */
  base: string;
  /** The changed files, by path. */
  files: ReadonlyMap<string, string>;
}

/** Most characters of one draft: a browser keeps about five million for a page. */
export const LONGEST_DRAFT = 250_000;
/** Most drafts; a further one replaces the oldest. */
export const MAX_DRAFTS = 10;

const PREFIX = 'tributary.draft.';

/** The part of `Storage` that is used. */
export interface DraftStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  /** Throws when there is no room. */
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** The drafts of this tab, by the id of their source. */
export function createDraftStore(storage: DraftStorage, now: () => number) {
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };

  const ids = (): string[] =>
    Array.from({ length: storage.length }, (_, n) => storage.key(n) ?? '').flatMap((key) =>
      key.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : [],
    );

  function read(id: string): Draft | undefined {
    const text = storage.getItem(PREFIX + id);
    return text === null ? undefined : draftOf(text);
  }

  function remove(id: string): void {
    if (storage.getItem(PREFIX + id) === null) return;
    storage.removeItem(PREFIX + id);
    changed();
  }

  /** Leaves room for one more draft. */
  function removeOldest(): void {
    const byAge = ids().sort((a, b) => (read(a)?.at ?? 0) - (read(b)?.at ?? 0));
    for (const id of byAge.slice(0, Math.max(0, byAge.length - MAX_DRAFTS + 1))) storage.removeItem(PREFIX + id);
  }

  return {
    read,
    remove,
    has: (id: string): boolean => storage.getItem(PREFIX + id) !== null,

    /** False when it is too long, or the browser has no room. Then an earlier draft of the source is removed, too. */
    write(id: string, { base, files }: Omit<Draft, 'at'>): boolean {
      const text = JSON.stringify({ at: now(), base, files: [...files] });
      const isNew = storage.getItem(PREFIX + id) === null;
      try {
        if (text.length > LONGEST_DRAFT) throw new Error('The draft is too long.');
        if (isNew) removeOldest();
        storage.setItem(PREFIX + id, text);
      } catch {
        remove(id);
        return false;
      }
      if (isNew) changed();
      return true;
    },

    clear(): void {
      for (const id of ids()) storage.removeItem(PREFIX + id);
      changed();
    },

    /** The listener is called when a draft comes or goes. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Undefined for a text that this release does not read. */
function draftOf(text: string): Draft | undefined {
  try {
    const { at, base, files } = JSON.parse(text);
    if (typeof at !== 'number' || typeof base !== 'string' || !Array.isArray(files)) return undefined;
    const pairs = files.filter(
      (pair): pair is [string, string] =>
        Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string',
    );
    return { at, base, files: new Map(pairs) };
  } catch {
    return undefined;
  }
}
