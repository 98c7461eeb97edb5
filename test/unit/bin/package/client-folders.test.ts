import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { CLIENT_FOLDERS } from '../../../../bin/package/build-client.ts';

/** The types were built without `shared/lib` once, and the package could not be made. */
test('the types of the client are built from every folder that it imports from', async () => {
  const { metafile } = await build({
    entryPoints: ['shared/client/index.ts'],
    bundle: true,
    external: ['openapi-fetch'],
    format: 'esm',
    metafile: true,
    write: false,
  });
  const folders = Object.keys(metafile.inputs).map((path) => path.replace(/^shared\/([^/]+)\/.*$/, '$1'));
  expect([...new Set(folders)].filter((folder) => !CLIENT_FOLDERS.includes(folder))).toEqual([]);
});
