import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('the client runs in browsers and edge runtimes: it needs no module of Node, and is small', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: ['shared/client/index.ts'],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    minify: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const modules = Object.keys(metafile.inputs).filter((path) => path.includes('node_modules'));
  expect(modules).toEqual(['node_modules/openapi-fetch/dist/index.mjs']);
  expect(outputFiles[0]?.contents.length).toBeLessThan(16_000);
  expect(outputFiles[0]?.text).not.toMatch(/\bBuffer\b|\brequire\(/);
});
