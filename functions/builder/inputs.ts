import type { BuildInput } from '../../shared/domain/build-result.ts';
import type { Fetched, FetchFile } from './fetch-file.ts';
import { sha256 } from './hash.ts';

/** Files asked for at once: bounds what their texts take, whoever wrote them. */
const AT_ONCE = 8;
/** What takes longer is built: whoever asked waits 15 s for both. */
const PATIENCE_MS = 2_000;

/** Where a file was found decides what its imports mean; the query of that place does not (a storage signs each of its own). */
function hashOfFetched(fetched: Fetched): string {
  if (!('file' in fetched)) return 'absent';
  const { address, isPage, text } = fetched.file;
  const { origin, pathname } = new URL(address);
  return sha256(JSON.stringify([origin, pathname, isPage, text]));
}

const outcomeOf = (fetching: Promise<Fetched>): Promise<string> =>
  fetching.then(hashOfFetched, () => 'failed');

/** A fetcher that notes what one build asks it for, and what it finds. */
export function noting(fetchFile: FetchFile) {
  const noted = new Map<string, string>();
  return {
    async fetchFile(address: string): Promise<Fetched> {
      const fetching = fetchFile(address);
      noted.set(address, await outcomeOf(fetching));
      return fetching;
    },
    inputs: (): BuildInput[] => [...noted].map(([address, found]) => ({ address, found })),
  };
}

/** Whether every address answers as it did. Nothing of what it answers is evaluated, nor parsed. */
export async function areUnchanged(inputs: readonly BuildInput[], fetchFile: FetchFile): Promise<boolean> {
  const left = [...inputs];
  let isSame = inputs.length > 0;
  async function look(): Promise<void> {
    for (let input = left.shift(); input && isSame; input = left.shift())
      if ((await outcomeOf(fetchFile(input.address))) !== input.found) isSame = false;
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isSame = false;
      resolve();
    }, PATIENCE_MS);
  });
  await Promise.race([late, Promise.all(Array.from({ length: AT_ONCE }, look))]);
  clearTimeout(timer);
  return isSame;
}
