import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Loader, type Metafile } from 'esbuild';
import * as z from 'zod';
import { packageOf } from './package-places.ts';

/** Stands for an add-on in the compiler's graph; the path in this namespace is the package that asks for it. */
export const NATIVE = 'native-add-on';

/** Thrown where the add-on is asked for, as by Node where none was built: a package that can do without it does. */
export const addOnStub = (name: string): string => `throw __addOn(${JSON.stringify(name)})`;

/** A package that a component cannot do without, and the package of the component's own import that leads there. */
export interface NeededAddOn {
  name: string;
  imported: string;
}

interface Code {
  text: string;
  loader: Loader;
}

/**
 * Finds the add-on that a component needs: every import on the way to it fails with it. A package that can do without one asks for it
 * within `try`, and there the way ends.
 */
export async function neededAddOn(
  { inputs }: Metafile,
  root: string,
  componentFile: (file: string) => Code | undefined,
): Promise<NeededAddOn | undefined> {
  const files = Object.entries(inputs);
  for (const [name, start] of await addOnsIn(Object.keys(inputs), root)) {
    const failing = new Set(start);
    for (const failed of failing) {
      for (const [importer, { imports }] of files) {
        const asked = imports.filter(({ path }) => path === failed).map(({ original }) => original ?? '');
        if (asked.length === 0 || failing.has(importer)) continue;
        const own = componentFile(importer);
        const hard = await hardImports(own ?? (await packageCode(root, importer)));
        if (!asked.some((specifier) => hard.has(specifier))) continue;
        if (own) return { name, imported: nameOf(failed) };
        failing.add(importer);
      }
    }
  }
  return undefined;
}

/** Packages with an add-on, and what fails without it: where it is asked for, or all of a package that finds its own in a way of its own. */
async function addOnsIn(files: readonly string[], root: string): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const file of files)
    if (file.startsWith(`${NATIVE}:`)) found.set(file.slice(NATIVE.length + 1), [file]);
  for (const folder of new Set(files.flatMap((file) => packageOf(file) ?? []))) {
    if (found.has(nameOf(folder))) continue;
    // What npm would compile.
    const isNative = await access(join(root, folder, 'binding.gyp')).then(
      () => true,
      () => false,
    );
    if (isNative)
      found.set(
        nameOf(folder),
        files.filter((file) => packageOf(file) === folder),
      );
  }
  return found;
}

/** The package of a file, or of an add-on that the component's own file asks for. */
const nameOf = (file: string): string =>
  packageOf(file)?.replace(/^.*node_modules\//, '') ?? file.slice(file.indexOf(':') + 1);

async function packageCode(root: string, file: string): Promise<Code> {
  const text = await readFile(join(root, file), 'utf8').catch(() => '');
  return { text, loader: /\.[cm]?tsx?$/.test(file) ? 'ts' : 'js' };
}

const Unresolved = z.object({ errors: z.array(z.object({ text: z.string() })) });

/** What fails with its import. The compiler knows `try`: where nothing can be resolved, it complains of the rest. */
async function hardImports({ text, loader }: Code): Promise<ReadonlySet<string>> {
  try {
    await build({
      stdin: { contents: text, loader },
      bundle: true,
      platform: 'node',
      format: 'esm',
      write: false,
      logLevel: 'silent',
      logLimit: 0,
      tsconfigRaw: '{}',
    });
    return new Set();
  } catch (error) {
    const { errors } = Unresolved.parse(error);
    return new Set(errors.flatMap((one) => /^Could not resolve "(.+)"$/.exec(one.text)?.[1] ?? []));
  }
}
