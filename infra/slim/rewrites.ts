import type { OnLoadResult } from 'esbuild';
import { brotliCompressSync, constants } from 'node:zlib';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

interface Rewrite {
  why: string;
  /** A pattern of paths below node_modules. */
  files: string;
  to(text: string, path: string): OnLoadResult | Promise<OnLoadResult>;
}

const here = dirname(fileURLToPath(import.meta.url));

/** Errors of which the stores read more than the name; all others arrive as their service's base exception, under their own name. */
const ERRORS_WITH_MEMBERS = ['ConditionalCheckFailedException', 'TransactionCanceledException'];

function replaced(text: string, pattern: RegExp | string, by: string, path: string): string {
  const result = text.replaceAll(pattern, by);
  if (result === text) throw new Error(`infra/slim finds nothing to rewrite in ${path}: ${String(pattern)}`);
  return result;
}

export const rewrites: readonly Rewrite[] = [
  {
    why: 'A client holds the schemas of all its operations; marked as pure, those of operations in use stay',
    files: String.raw`@aws-sdk/client-[a-z0-9]+/dist-es/schemas/schemas_0\.js`,
    to(text, path) {
      const pure = replaced(
        text,
        /^export var ([\w$]+) = \[(.*?)\];$/gms,
        'export var $1 = /* @__PURE__ */ (() => [$2])();',
        path,
      );
      const errors = /^\w+_registry\.registerError\((?!\w*ServiceException\$)(\w+)\$, \1\);\n/gm;
      return {
        contents: pure.replace(errors, (line, name) => (ERRORS_WITH_MEMBERS.includes(name) ? line : '')),
      };
    },
  },
  {
    why: 'Of its manifest a client tells only the version',
    files: String.raw`@aws-sdk/client-[a-z0-9]+/package\.json`,
    to: (text) => ({ contents: JSON.stringify({ version: JSON.parse(text).version }), loader: 'json' }),
  },
  {
    why: 'See event-streams-given.ts',
    files: String.raw`@smithy/core/dist-es/submodules/protocols/HttpProtocol\.js`,
    to: (text, path) => ({
      contents:
        `import { eventStreams } from ${JSON.stringify(join(here, 'event-streams-given.ts'))};\n` +
        replaced(text, 'await import("@smithy/core/event-streams")', 'eventStreams()', path),
    }),
  },
  {
    why: 'The HTTP parser takes 20 KB instead of 72',
    files: String.raw`undici/lib/llhttp/llhttp_simd-wasm\.js`,
    to(_text, path) {
      const parser: Buffer = createRequire(path)(path);
      const packed = brotliCompressSync(parser, {
        params: { [constants.BROTLI_PARAM_SIZE_HINT]: parser.length },
      });
      return {
        contents: `module.exports = require('node:zlib').brotliDecompressSync(Buffer.from('${packed.toString('base64')}', 'base64'));`,
      };
    },
  },
  {
    why: 'The tables that the parser was generated with serve nobody at run time',
    files: String.raw`undici/lib/llhttp/constants\.js`,
    to(_text, path) {
      const { ERROR, TYPE } = createRequire(path)(path);
      return { contents: `module.exports = ${JSON.stringify({ ERROR, TYPE })};` };
    },
  },
  {
    why: 'Through the index the whole of `util` comes along',
    files: String.raw`zod/v4/classic/schemas\.js`,
    to(text, path) {
      const util = replaced(
        text,
        'import { util } from "../core/index.js";',
        'import * as util from "../core/util.js";',
        path,
      );
      return { contents: util };
    },
  },
];
