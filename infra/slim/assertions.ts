import type { Plugin } from 'esbuild';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAMESPACE = 'assertion';

/** Gives undici the assertions of assertion.ts. Where it asks for none any more, or in another way, the build fails. */
export const assertions: Plugin = {
  name: 'assertions',
  setup({ onResolve, onLoad, onEnd }) {
    let isAsked = false;
    onResolve({ filter: /^(?:node:)?assert$/ }, ({ importer, kind }) => {
      if (kind !== 'require-call' || !/\/node_modules\/undici\//.test(importer)) return undefined;
      isAsked = true;
      return { path: 'assert', namespace: NAMESPACE };
    });
    // undici requires a function, and a module in TypeScript exports names.
    onLoad({ filter: /./, namespace: NAMESPACE }, () => ({
      contents: "module.exports = require('./assertion.ts').assert;",
      resolveDir: dirname(fileURLToPath(import.meta.url)),
    }));
    onEnd(() =>
      isAsked ? {} : { errors: [{ text: 'infra/slim finds no assertion of undici to give another' }] },
    );
  },
};
