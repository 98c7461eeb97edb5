import { fetchPackage, type PinnedPackage } from '../../infra/packages/fetch-package.ts';
import { cacheFolder } from './cache-folder.ts';

export type { PinnedPackage };

/** Folder with the files of an npm package, fetched once. */
export const packageFiles = (pinned: PinnedPackage): Promise<string> =>
  fetchPackage(pinned, { cache: cacheFolder('packages') });
