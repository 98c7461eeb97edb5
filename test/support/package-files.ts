import { chmod } from 'node:fs/promises';
import { fetchPackage, type PinnedPackage } from '../../infra/packages/fetch-package.ts';
import { cacheFolder } from './cache-folder.ts';

export type { PinnedPackage };

/** Folder with the files of an npm package, fetched once. Users of their own, which components run as, may read it. */
export async function packageFiles(pinned: PinnedPackage): Promise<string> {
  const folder = await fetchPackage(pinned, { cache: cacheFolder('packages') });
  await chmod(folder, 0o755);
  return folder;
}
