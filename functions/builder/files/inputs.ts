import type { BuildInput } from '../../../shared/domain/component/build-result.ts';
import type { Fetched, FetchFile } from './fetch-file.ts';
import { sha256 } from '../hash.ts';

/** Concurrent requests, to limit the memory for their responses. */
const CONCURRENT_FETCHES = 8;
/** Time limit of the comparison. After it the component is built; the caller waits 15 s for both. */
const CHECK_MS = 2_000;

/**
 * Hash of a fetched file. Includes its URL, to which its imports are relative, but not the query, which may be a new
 * signature.
 */
function hashOfFetched(fetched: Fetched): string {
  if (!('file' in fetched)) return 'absent';
  const { address, isPage, text } = fetched.file;
  const { origin, pathname } = new URL(address);
  return sha256(JSON.stringify([origin, pathname, isPage, text]));
}

const outcomeOf = (fetching: Promise<Fetched>): Promise<string> => fetching.then(hashOfFetched, () => 'failed');

/** A fetcher that records the requests of one build and their results. */
export function recording(fetchFile: FetchFile) {
  const recorded = new Map<string, string>();
  return {
    async fetchFile(address: string): Promise<Fetched> {
      const fetching = fetchFile(address);
      recorded.set(address, await outcomeOf(fetching));
      return fetching;
    },
    inputs: (): BuildInput[] => [...recorded].map(([address, found]) => ({ address, found })),
  };
}

/** Whether every URL returns the same content as at the earlier build. The content is only hashed, not parsed. */
export async function areUnchanged(inputs: readonly BuildInput[], fetchFile: FetchFile): Promise<boolean> {
  const left = [...inputs];
  let isSame = inputs.length > 0;
  async function compareNext(): Promise<void> {
    for (let input = left.shift(); input && isSame; input = left.shift())
      if ((await outcomeOf(fetchFile(input.address))) !== input.found) isSame = false;
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isSame = false;
      resolve();
    }, CHECK_MS);
  });
  await Promise.race([late, Promise.all(Array.from({ length: CONCURRENT_FETCHES }, compareNext))]);
  clearTimeout(timer);
  return isSame;
}
