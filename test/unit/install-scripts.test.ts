import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';

const Lock = z.object({
  packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().optional() })),
});
const Manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()) });

test('package.json forbids every install script of the lock file, by the name of its package', () => {
  const { packages } = Lock.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
  const { allowScripts } = Manifest.parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const withScripts = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript === true ? [path.replace(/^.*node_modules\//, '')] : [],
  );
  expect(allowScripts).toEqual(Object.fromEntries(withScripts.map((name) => [name, false])));
  expect(readFileSync('.npmrc', 'utf8')).toContain('strict-allow-scripts=true\n');
});
