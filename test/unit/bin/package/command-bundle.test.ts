import { build, type Metafile } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { commandBuild } from '../../../../bin/package/build-command.ts';

let outputs: Metafile['outputs'];
beforeAll(async () => {
  const { metafile } = await build({
    ...commandBuild(process.cwd(), 'nowhere'),
    write: false,
    metafile: true,
  });
  ({ outputs } = metafile);
});

const holding = (source: string): string =>
  Object.keys(outputs).find((path) => source in (outputs[path]?.inputs ?? {})) ?? expect.fail(source);

/** The chunks that are loaded together with one. */
function loadedWith(path: string, known = new Set<string>()): Set<string> {
  if (known.has(path)) return known;
  known.add(path);
  for (const { path: next, kind } of outputs[path]?.imports ?? [])
    if (kind !== 'dynamic-import' && next in outputs) loadedWith(next, known);
  return known;
}

/** The packages and the files of bin/admin that are loaded when a source of the command is. */
function foreignTo(source: string): { packages: string[]; admin: string[]; bytes: number } {
  const chunks = [...loadedWith(holding(source))];
  const inputs = chunks.flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
  const packages = inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return {
    packages: [...new Set(packages)].sort(),
    admin: inputs.filter((path) => path.startsWith('bin/admin/')),
    bytes: chunks.reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0),
  };
}

test('a command of a user loads no code of the operator and no client of AWS', () => {
  const { packages, admin, bytes } = foreignTo('bin/tributary/run-command-line.ts');
  expect(admin).toEqual([]);
  expect(packages).toContain('commander');
  expect(packages.filter((name) => name.startsWith('@aws-sdk') || name === 'undici')).toEqual([]);
  expect(bytes).toBeLessThan(800_000);
});

test("the operator's words, which the completion lists, load no client of AWS", () => {
  const { packages, admin } = foreignTo('bin/admin/admin-group.ts');
  expect(packages.filter((name) => name.startsWith('@aws-sdk') || name.startsWith('@smithy'))).toEqual([]);
  expect(admin).toContain('bin/admin/commands/user-commands.ts');
});

test("a command of the operator loads the client of its cloud, and no program of the service's", () => {
  const { packages } = foreignTo('bin/admin/operate.ts');
  expect(packages).toContain('@aws-sdk/client-dynamodb');
  expect(packages.filter((name) => /^aws-cdk|^esbuild/.test(name))).toEqual([]);
});
