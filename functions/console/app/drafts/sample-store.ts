import type { DraftStorage } from './draft-store.ts';

/** An event of a source that a person keeps to send it again. */
export interface Sample {
  name: string;
  /** The JSON text of its data. */
  json: string;
}

/** Samples of one source. */
export const MAX_SAMPLES = 20;
export const MAX_SAMPLE_BYTES = 65_536;
const LONGEST_NAME = 60;

const PREFIX = 'tributary.sample.';
/** The id of the user whose samples they are. */
const OWNER = 'tributary.samples-of';

/** The samples of this browser, by the id of their source. */
export function createSampleStore(storage: DraftStorage) {
  const listeners = new Set<() => void>();

  function read(sourceId: string): readonly Sample[] {
    const text = storage.getItem(PREFIX + sourceId);
    return text === null ? [] : samplesOf(text);
  }

  /** Throws when the browser has no room. */
  function write(sourceId: string, samples: readonly Sample[]): void {
    if (samples.length === 0) storage.removeItem(PREFIX + sourceId);
    else storage.setItem(PREFIX + sourceId, JSON.stringify(samples.map(({ name, json }) => [name, json])));
    for (const listener of listeners) listener();
  }

  function clear(): void {
    const keys = Array.from({ length: storage.length }, (_, n) => storage.key(n) ?? '');
    for (const key of keys.filter((each) => each.startsWith(PREFIX))) storage.removeItem(key);
    storage.removeItem(OWNER);
    for (const listener of listeners) listener();
  }

  return {
    read,
    clear,

    /** Removes the samples of another user. */
    keepFor(userId: string): void {
      if (storage.getItem(OWNER) !== userId) clear();
      storage.setItem(OWNER, userId);
    },

    /** A sample of the same name is replaced. Throws a sentence for people about one that cannot be kept. */
    save(sourceId: string, { name: typed, json }: Sample): void {
      const name = typed.trim();
      if (name === '') throw new Error('Name: enter a name for the sample.');
      if (name.length > LONGEST_NAME) throw new Error(`Name: enter at most ${LONGEST_NAME} characters.`);
      if (new TextEncoder().encode(json).length > MAX_SAMPLE_BYTES)
        throw new Error('The event is too large: a sample has at most 64 KB.');
      const others = read(sourceId).filter((each) => each.name !== name);
      if (others.length >= MAX_SAMPLES)
        throw new Error(`The source has ${MAX_SAMPLES} samples, the most that are kept. Delete one first.`);
      try {
        write(sourceId, [...others, { name, json }]);
      } catch {
        throw new Error('The browser has no room for it. Delete other samples first.');
      }
    },

    remove: (sourceId: string, name: string): void =>
      write(
        sourceId,
        read(sourceId).filter((each) => each.name !== name),
      ),

    /** The listener is called when samples come or go. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Nothing for a text that this release does not read. */
function samplesOf(text: string): readonly Sample[] {
  try {
    const pairs: unknown = JSON.parse(text);
    if (!Array.isArray(pairs)) return [];
    return pairs.flatMap((pair: unknown) =>
      Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string'
        ? [{ name: pair[0], json: pair[1] }]
        : [],
    );
  } catch {
    return [];
  }
}
