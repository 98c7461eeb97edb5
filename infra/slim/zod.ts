import { literally, replaced } from './text.ts';

type Cut = readonly [found: RegExp | string, by: string];

/** A method or accessor of an object literal or class that is not nested. */
const member = (name: string): Cut => [
  new RegExp(
    String.raw`^ {4}(?:async |[gs]et )?${literally(name)}(?:: (?:async )?function \w+)?\(.*\) \{\n(?: {8}.*\n)+ {4}\},?\n`,
    'gm',
  ),
  '',
];

/** A statement, to its end, wherever it begins so. */
const statement = (start: string): Cut => [
  new RegExp(String.raw`^( *)${literally(start)}.*\n(?:\1 .*\n)*(?:\1[)\]}].*\n)?`, 'gm'),
  '',
];

/** Methods that no schema of ours has called. Calling one is an error when its schema is made, which is when a bundle loads. */
const METHODS = [
  ...['with', 'register', 'overwrite', 'exactOptional', 'nonoptional', 'or', 'and', 'prefault', 'catch'],
  ...['readonly', 'describe', 'isOptional', 'isNullable', 'apply', '"~standard"', 'description', '_def'],
  ...['parseAsync', 'safeParseAsync', 'spa', 'validate', 'validateAsync', 'toJSONSchema'],
  ...['encode', 'decode', 'encodeAsync', 'decodeAsync'],
  ...['safeEncode', 'safeDecode', 'safeEncodeAsync', 'safeDecodeAsync'],
  ...['includes', 'startsWith', 'endsWith', 'length', 'nonempty', 'lowercase', 'uppercase', 'normalize'],
  ...['toLowerCase', 'toUpperCase', 'slugify', 'trim'],
  ...['gt', 'gte', 'lt', 'lte', 'safe', 'positive', 'nonnegative', 'negative', 'nonpositive', 'finite'],
  ...['multipleOf', 'step', 'unwrap', 'keyof', 'catchall', 'passthrough', 'loose', 'strict', 'strip'],
  ...['merge', 'exactPartial', 'required', 'properties'],
];

const schemas: readonly Cut[] = [
  // Through the index the whole of `util` would come along.
  ['import { util } from "../core/index.js";', 'import * as util from "../core/util.js";'],
  [/\bcore\.util\./g, 'util.'],
  // `z.toJSONSchema` brings its own processors, and takes them for schemas that have none.
  statement('inst._zod.processJSONSchema = '),
  // What the checks of a schema come to, for those who ask it.
  [/\/\*@__PURE__\*\/ util\.derived\(\{\n(?: {4,}.*\n)*\}, \{/g, '({'],
  ...METHODS.map(member),
  // Of formats there are also functions (`z.url()`), which bring only their own.
  [/^ {4}\w+\(params\) \{\n {8}return this\.check\(core\._\w+\(Zod\w+, params\)\);\n {4}\},\n/gm, ''],
  ...['inst.unwrap = ', 'inst.removeDefault = ', 'inst.extract = ', 'inst.exclude = '].map(statement),
  statement('const keys = new Set(Object.keys(def.entries));'),
  statement('Object.defineProperty(inst, "value", {'),
  // What functions parse was JSON before, and holds no cycles.
  [/if \(!core\.globalConfig\.memoizer\)\n.*;/g, ''],
  [/_ctx\.direction === "backward"/g, 'false'],
  [/return output\.then\(\(output\) => \{\n(?: {16,}.*\n)* {12}\}\);/g, 'throw new core.$ZodAsyncError();'],
];

const coreSchemas: readonly Cut[] = [
  // Schemas parse, whole, with their checks, and to the end.
  [/\bctx\??\.direction === "backward"/g, 'false'],
  [/\bctx\??\.direction !== "backward"/g, 'true'],
  [/\bctx\??\.skipChecks\b/g, 'false'],
  [/, (?:abortEarly|ctx\?\.abortEarly === true|abortEarly === true)\)/g, ')'],
  [/\bif \(abortEarly && .*\)( \{)?$/gm, 'if (false)$1'],
  statement('const abortEarly = '),
  statement('let seen = '),
  // The same in the text that functions for objects are made of.
  statement('let ${id}_ab = false;'),
  statement('if (iss.continue !== true) ${id}_ab = true;'),
  [/\n *if \(\$\{id\}_ab && ctx && ctx\.abortEarly\) \{\n.*\n.*\n *\}`/g, '`'],
  [/^ *if \(ctx && ctx\.abortEarly\) \{\n.*\n.*\n *\}\n/gm, ''],
  member('"~standard"'),
  statement('const handleCanaryResult = '),
  // See `schemas`.
  statement('const memo = core.globalConfig.memoizer;'),
  statement('memo?.attach(inst);'),
  statement('core.globalConfig.memoizer?.guard(inst);'),
  statement('if (payload.memo)'),
  [/\bmemo \? (?:memo\.alloc\(inst, payload, .*, ctx\)|`.*`) : /g, ''],
  [', memo, syms }', ', syms }'],
  // What template literals are made of.
  statement('inst._zod.pattern = '),
  statement('util.defineLazyInternal(inst, "pattern", '),
  [
    /if \(values && !def\.partial\) \{\n(?: {12}.*\n)* {8}\}/g,
    'if (values) { throw new Error("Records of listed keys are left out of the functions\' bundles (infra/slim)"); }',
  ],
];

/** Of what only an asynchronous parse waits for; a promise of a check or a transformation is still refused, by name. */
const waiting: readonly Cut[] = [
  [/\b\w+ instanceof Promise(?! && ctx|\) \{\n *return r\.then\(\(r\) => handleRefineResult)/g, 'false'],
  ['asyncResult || false', 'false'],
  [/\bif \((?:asyncResult|ctx\.async)\)/g, 'if (false)'],
  statement('let asyncResult;'),
  [/if \(!async\)\n *(return .*;)\n *return Promise\.all\(.*\n.*\n *\}\);/g, '$1'],
  statement('let async = false;'),
  [/if \(!proms\.length\)\n *(return payload;)\n *return Promise\.all\(.*\n.*\n *\}\);/g, '$1'],
  statement('const proms = [];'),
  [/\bproms\.length\b/g, 'false'],
  [/\bhandleCatchall\((?:proms|\[\]), /g, 'handleCatchall('],
];

/** Of the way in which objects are parsed where no functions may be made for them: Node allows that. */
const interpreted: readonly Cut[] = [
  [
    /^ {4}const isObject = util\.isObject;\n {4}const catchall = .*\n {4}let value;\n {4}inst\._zod\.parse = .*\n(?: {8}.*\n)* {4}\};\n/gm,
    '',
  ],
  [/^ {4}const _normalized = .*\n(?= {4}util\.defineLazyInternal\(inst, "propValues")/gm, ''],
  statement('const superParse = '),
  statement('return superParse(payload, ctx);'),
  ...['const jit = ', 'const allowsEval = ', 'const fastEnabled = '].map(statement),
  ['if (jit && fastEnabled && ctx?.async === false && ctx.jitless !== true)', 'if (true)'],
];

/** Of what issues are called that no schema of ours finds. */
const messages: readonly Cut[] = [
  [/^ {8}(?!nan\b)\w+: ".*",\n/gm, ''],
  [/^ {8}(?:file|set|map): \{ .*\n/gm, ''],
  [/^ {12}case "(?:not_multiple_of|invalid_element)":\n.*;\n/gm, ''],
  ...['starts_with', 'ends_with', 'includes'].map((format) =>
    statement(`if (_issue.format === "${format}")`),
  ),
];

/** By module of zod, what goes from it: all that no schema of functions and their requests, items and messages needs. */
export const zodCuts: readonly { file: string; cuts: readonly Cut[] }[] = [
  { file: 'classic/schemas.js', cuts: schemas },
  { file: 'core/schemas.js', cuts: [...coreSchemas, ...waiting, ...interpreted] },
  { file: 'core/registries.js', cuts: ['clear', 'remove', 'has'].map(member) },
  {
    file: 'classic/errors.js',
    cuts: [
      'const proto = ',
      'if (_installedErrorProtos.has(proto))',
      '_installedErrorProtos.add(proto);',
      '_lazyMethod(',
      'Object.defineProperty(proto, "isEmpty", {',
    ].map(statement),
  },
  { file: 'locales/en.js', cuts: messages },
];

export const cut = (text: string, cuts: readonly Cut[], path: string): string =>
  cuts.reduce((left, [found, by]) => replaced(left, found, by, path), text);
