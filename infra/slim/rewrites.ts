import type { OnLoadResult } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { withoutForeignEndpoints } from './endpoints.ts';
import { literally, replaced } from './text.ts';
import { cut, zodCuts } from './zod.ts';

interface Rewrite {
  why: string;
  /** A pattern of paths below `node_modules/`. */
  files: string;
  to(text: string, path: string): OnLoadResult | Promise<OnLoadResult>;
}

const here = dirname(fileURLToPath(import.meta.url));

/** Errors that are more than a name, a message and a status: the stores read their members, or the client tries again after them. */
const ERRORS_KEPT = [
  'ConditionalCheckFailedException',
  'TransactionCanceledException',
  'ReplicatedWriteConflictException',
];

/** SQS answers with the codes of an older protocol; its client finds the names of errors by their schemas. */
const needsItsErrors = (path: string) => path.includes('/client-sqs/');

/** An error that its client does not know arrives as the service's base exception: with its name, message, status and plain members. */
const withoutErrors = (text: string, path: string) =>
  replaced(
    text,
    new RegExp(
      String.raw`^\w+_registry\.registerError\((?!\w*ServiceException\$|${ERRORS_KEPT.join('|')})(\w+)\$, \1\);\n`,
      'gm',
    ),
    '',
    path,
  );

/** Classes of errors without members. */
const ERROR_CLASS =
  /^export class (\w+) extends __BaseException \{\n {4}static shapeId = ("[^"]+");\n {4}name = "\1";\n {4}\$fault = "(\w+)";\n {4}constructor\(opts\) \{\n {8}super\(\{\n {12}name: "\1",\n {12}\$fault: "\3",\n {12}\.\.\.opts,\n {8}\}\);\n {8}Object\.setPrototypeOf\(this, \1\.prototype\);\n {4}\}\n\}$/gm;

const madeByOneFunction = (text: string, path: string) =>
  `${replaced(text, ERROR_CLASS, 'export const $1 = /* @__PURE__ */ errorClass("$1", $2, "$3");', path)}
function errorClass(name, shapeId, $fault) {
  return class extends __BaseException {
    static shapeId = shapeId;
    name = name;
    $fault = $fault;
    constructor(options) {
      super({ name, $fault, ...options });
      Object.setPrototypeOf(this, new.target.prototype);
    }
  };
}
`;

export const rewrites: readonly Rewrite[] = [
  {
    why: 'A client holds the schemas of all its operations; marked as pure, those of operations in use stay',
    files: String.raw`@aws-sdk/client-[a-z0-9]+/dist-es/schemas/schemas_0\.js`,
    to(text, path) {
      const pure = replaced(
        text,
        /^(export )?var ([\w$]+) = \[(.*?)\];$/gms,
        '$1var $2 = /* @__PURE__ */ (() => [$3])();',
        path,
      );
      return { contents: needsItsErrors(path) ? pure : withoutErrors(pure, path) };
    },
  },
  {
    why: 'Most rules about endpoints are about what none of ours is',
    files: String.raw`@aws-sdk/client-(?:s3|dynamodb)/dist-es/endpoint/bdd\.js`,
    to: async (text, path) => ({ contents: await withoutForeignEndpoints(text, path) }),
  },
  {
    why: 'Twenty-five classes that differ in a name',
    files: String.raw`@aws-sdk/client-sqs/dist-es/models/errors\.js`,
    to: (text, path) => ({ contents: madeByOneFunction(text, path) }),
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
    why: 'Most tables that the parser was generated with serve nobody at run time',
    files: String.raw`undici/lib/llhttp/constants\.js`,
    async to(_text, path) {
      const client = await readFile(join(dirname(path), '../dispatcher/client-h1.js'), 'utf8');
      const used = [...client.matchAll(/\bconstants\.(\w+)/g)].flatMap(([, name]) => name ?? []);
      const tables: Record<string, unknown> = createRequire(path)(path);
      const left = Object.fromEntries(used.map((name) => [name, tables[name]]));
      return { contents: `module.exports = ${JSON.stringify(left)};` };
    },
  },
  ...zodCuts.map(({ file, cuts }) => ({
    why: 'Of schemas only parsing is used, and one function makes JSON Schemas of them',
    files: `zod/v4/${literally(file)}`,
    to: (text: string, path: string) => ({ contents: cut(text, cuts, path) }),
  })),
];
