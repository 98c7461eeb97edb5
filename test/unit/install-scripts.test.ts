import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';

const Lock = z.object({
  packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().optional() })),
});
const Manifest = z.object({
  allowScripts: z.record(z.string(), z.boolean()),
  scripts: z.record(z.string(), z.string()),
});

test('package.json forbids every install script of the lock file, by the name of its package', () => {
  const { packages } = Lock.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
  const { allowScripts } = Manifest.parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const withScripts = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript === true ? [path.replace(/^.*node_modules\//, '')] : [],
  );
  expect(allowScripts).toEqual(Object.fromEntries(withScripts.map((name) => [name, false])));
  expect(readFileSync('.npmrc', 'utf8')).toContain('strict-allow-scripts=true\n');
});

test('the checkout has no script for which npm 11.16 refuses npx tributary while the scripts of packages are forbidden', () => {
  const { scripts } = Manifest.parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const counted = ['preinstall', 'install', 'postinstall', 'prepare'];
  expect(Object.keys(scripts).filter((name) => counted.includes(name))).toEqual([]);
});
