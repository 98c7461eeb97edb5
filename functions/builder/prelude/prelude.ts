import { compileFunction } from 'node:vm';
import { FREE_REQUIRE } from '../computed-requires.ts';
import { refusedAddOns } from './add-ons.ts';
import { mapStacks, type OwnLines } from './own-stacks.ts';
import { placedFiles, type PlacedFiles } from './placed-files.ts';
import { thrownLines } from './thrown-lines.ts';
import { gunzipped } from './gunzipped.ts';

/* The code before a component's code in its bundle. A build embeds this module, compiled, as text. */

/** Everything of a component besides its code. */
export interface Bundled extends PlacedFiles {
  lines: OwnLines;
  /** Packed, as `thrownLines` takes it. Absent in a component that shows no code with its errors. */
  ownCode?: string | undefined;
}

/** The text of a script, or its packed form. */
export type Script = { text: string } | { packed: string };

/** File name of a script in stack traces, replaced by the component's own positions. */
const SCRIPT = '/component/bundle.js';

/**
 * Called before the code of a module, whose frames have the file name `where`, and `offset` lines more than the module.
 */
export function startModule({ lines, ownCode, ...files }: Bundled, where: string, offset: number) {
  mapStacks(lines, [where, offset], ownCode === undefined ? () => undefined : thrownLines(ownCode));
  return { fileAt: placedFiles(files), ...refusedAddOns() };
}

/**
 * Runs a CommonJS script, and returns its default export. Packages and components may need sloppy mode, mostly for
 * assignments to undeclared names. ECMAScript modules are always strict, so a script is compiled as a function.
 */
export function runScript(bundled: Bundled, script: Script, require: NodeJS.Require): unknown {
  const { fileAt, addOn, requireFrom, causeOf } = startModule(bundled, SCRIPT, 0);
  const names = ['exports', 'require', FREE_REQUIRE, 'module', '__place', '__addOn'];
  const text = 'text' in script ? script.text : gunzipped(script.packed);
  const body = compileFunction(text, names, { filename: SCRIPT });
  const module: { exports: Record<string, unknown> } = { exports: {} };
  const free = requireFrom(require);
  try {
    body(module.exports, free, free, module, fileAt, addOn);
  } catch (error) {
    throw causeOf(error);
  }
  return module.exports['default'];
}
