import type { Plugin } from 'esbuild';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAMESPACE = 'assertion';

/**
 * Gives undici the assertions of assertion.ts. An import in another form fails the build; a test fails when undici
 * imports none.
 */
export const assertions: Plugin = {
  name: 'assertions',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?assert(?:\/|$)/ }, ({ path, importer, kind }) => {
      if (!/\/node_modules\/undici\//.test(importer)) return undefined;
      if (kind !== 'require-call' || path !== 'node:assert') {
        return {
          errors: [
            {
              text: `infra/slim replaces only require('node:assert') of undici, and ${importer} imports ${path}`,
            },
          ],
        };
      }
      return { path, namespace: NAMESPACE };
    });
    // undici requires a function; a TypeScript module exports names.
    onLoad({ filter: /./, namespace: NAMESPACE }, () => ({
      contents: "module.exports = require('./assertion.ts').assert;",
      resolveDir: dirname(fileURLToPath(import.meta.url)),
    }));
  },
};
