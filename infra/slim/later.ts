import type { Plugin } from 'esbuild';
import { basename } from 'node:path';

/** A dynamic import of a module of ours loads the file beside the bundle that bundle.ts makes of it. */
export const later: Plugin = {
  name: 'later',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.js`, external: true } : undefined,
    );
  },
};
