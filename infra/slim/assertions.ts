import type { Plugin } from 'esbuild';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAMESPACE = 'assertion';

/** Gives undici the assertions of assertion.ts. If it asks in another way, the build fails; if it asks for none any more, a test does. */
export const assertions: Plugin = {
  name: 'assertions',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?assert(?:\/|$)/ }, ({ path, importer, kind }) => {
      if (!/\/node_modules\/undici\//.test(importer)) return undefined;
      if (kind !== 'require-call' || path !== 'node:assert') {
        return { errors: [{ text: `infra/slim has nothing for what ${importer} asks: ${path}` }] };
      }
      return { path, namespace: NAMESPACE };
    });
    // undici requires a function, and a module in TypeScript exports names.
    onLoad({ filter: /./, namespace: NAMESPACE }, () => ({
      contents: "module.exports = require('./assertion.ts').assert;",
      resolveDir: dirname(fileURLToPath(import.meta.url)),
    }));
  },
};
