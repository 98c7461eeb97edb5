import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Loader, type Metafile, type Plugin } from 'esbuild';
import * as z from 'zod';
import { packageOf } from './package-paths.ts';

/** The compiler's namespace for native add-ons; the path is the name of the package that imports the add-on. */
export const NATIVE = 'native-add-on';

/** Code that throws like Node does for a missing add-on, so that packages with a fallback use it. */
export const addOnStub = (name: string): string => `throw __addOn(${JSON.stringify(name)})`;

/** A package that needs its add-on, and the package in the component's own import that leads to it. */
export interface NeededAddOn {
  name: string;
  imported: string;
}

interface Code {
  text: string;
  loader: Loader;
}

/**
 * Finds an add-on that the component needs: follows failing imports from the add-on up to a file of the component. An
 * import within `try` does not fail, so the search ends there.
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
        const specifiers = imports.filter(({ path }) => path === failed).map(({ original }) => original ?? '');
        if (specifiers.length === 0 || failing.has(importer)) continue;
        const own = componentFile(importer);
        const hard = await hardImports(own ?? (await packageCode(root, importer)));
        if (!specifiers.some((specifier) => hard.has(specifier))) continue;
        if (own) return { name, imported: nameOf(failed) };
        failing.add(importer);
      }
    }
  }
  return undefined;
}

/**
 * Packages with an add-on, and the files that fail without it: the import of the add-on, or all files when the import
 * is not visible.
 */
async function addOnsIn(files: readonly string[], root: string): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const file of files) if (file.startsWith(`${NATIVE}:`)) found.set(file.slice(NATIVE.length + 1), [file]);
  for (const folder of new Set(files.flatMap((file) => packageOf(file) ?? []))) {
    if (found.has(nameOf(folder))) continue;
    // npm would compile an add-on for this file.
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

/** The package of a file, or of an add-on that the component imports itself. */
const nameOf = (file: string): string =>
  packageOf(file)?.replace(/^.*node_modules\//, '') ?? file.slice(file.indexOf(':') + 1);

async function packageCode(root: string, file: string): Promise<Code> {
  const text = await readFile(join(root, file), 'utf8').catch(() => '');
  return { text, loader: /\.[cm]?tsx?$/.test(file) ? 'ts' : 'js' };
}

const Unresolved = z.object({ errors: z.array(z.object({ text: z.string() })) });

/** Keeps the compiler from reading files that match a computed path. */
const readsNothing: Plugin = {
  name: 'reads-nothing',
  setup: (build) => build.onLoad({ filter: /.*/ }, () => ({ contents: '' })),
};

/** Imports outside of `try`: the compiler reports only those when nothing can be resolved. */
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
      plugins: [readsNothing],
    });
    return new Set();
  } catch (error) {
    const { errors } = Unresolved.parse(error);
    return new Set(errors.flatMap(({ text }) => /^Could not resolve "(.+)"$/.exec(text)?.[1] ?? []));
  }
}
