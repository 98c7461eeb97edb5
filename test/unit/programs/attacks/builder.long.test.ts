import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBundle } from '../../../../functions/builder/read-bundle.ts';
import { Spawner } from '../../../../infra/embedded/isolation/spawner.ts';
import { buildProgram } from '../../../../infra/embedded/programs.ts';
import { archive } from '../../../support/builder/archive.ts';
import { builderAsset } from '../../../support/builder/asset.ts';
import { webSite } from '../../../support/builder/web-site.ts';
import { type Workbench, workbench } from '../../functions/builder/workbench.ts';
import { outcomeAt } from '../../../programs/attacks/attack.ts';
import { type BuildAttack, buildAttacks, BUILDS } from '../../../programs/attacks/builder.ts';
import { repetitions } from '../../../support/repetitions.ts';
import { testedLevels } from '../../../programs/attacks/levels.ts';

/** Packages and components that attack the builder. The files that they aim at are readable by every user. */

const CANARY = 'CANARY_OF_THIS_MACHINE';
const CANARIES = {
  'canary.js': `module.exports = '${CANARY}'`,
  'package.json': `{"main":"canary.js","name":"${CANARY}"}`,
  'tsconfig.json': `{"compilerOptions":${CANARY}}`,
};
const folder = mkdtempSync(join(tmpdir(), 'builder-attacks-'));
const outside = join(folder, 'outside');
const spawnerProgram = join(folder, 'spawner.cjs');
const root = join(folder, 'asset');
let registry: Awaited<ReturnType<typeof webSite>>;
let count = 0;

beforeAll(async () => {
  process.env['CANARY_KEY'] = CANARY;
  mkdirSync(outside);
  for (const [name, text] of Object.entries(CANARIES)) writeFileSync(join(outside, name), text);
  await buildProgram('spawner', spawnerProgram);
  const asset = await builderAsset();
  // As in the service: a copy without links that every user may read. `cpSync` of some versions of Node copies the
  // links themselves (https://github.com/nodejs/node/issues/59168), and a sandbox has no target for them.
  await cp(asset.root, root, { recursive: true, dereference: true });
  asset.remove();
  for (const path of [folder, outside, root]) chmodSync(path, 0o755);
  registry = await webSite();
});
afterAll(() => {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The component of an attack, whose package is in the registry. */
function published(attack: BuildAttack): string {
  const {
    code,
    files = {},
    manifest = {},
    entries = [],
    redirect,
  } = JSON.parse(JSON.stringify(attack).replaceAll('$OUTSIDE', outside)) as BuildAttack;
  if (code !== undefined) return code;
  // npm's cache finds archives by their hash, and packages by their name.
  const name = `attack-${(count += 1)}`;
  const described = { name, version: '1.0.0', ...manifest };
  const all = { 'package.json': JSON.stringify(described), 'own.txt': name, ...files };
  const tarball = archive([
    ...Object.entries(all).map(([path, content]) => ({ path: `package/${path}`, content })),
    ...entries,
  ]);
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const version = { ...described, dist: { tarball: `${registry.base}/${name}.tgz`, integrity } };
  registry.files[`/${name}`] = JSON.stringify({
    name,
    'dist-tags': { latest: '1.0.0' },
    versions: { '1.0.0': version },
  });
  registry.files[`/${name}.tgz`] =
    redirect === undefined ? tarball : (_, response) => response.writeHead(302, { location: redirect }).end();
  return `import value from '${name}'; export default { name: 'x', value }`;
}

for (const level of testedLevels) {
  describe(`${level}: the builder does not follow`, () => {
    let spawner: Spawner;
    let bench: Workbench;
    beforeAll(async () => {
      spawner = new Spawner(spawnerProgram, { asked: level });
      bench = await workbench({
        processes: spawner,
        environment: {
          LAMBDA_TASK_ROOT: root,
          ALLOW_PRIVATE_NETWORK: '0',
          NETWORK_ALLOW_LIST: '127.0.0.1/32',
          NPM_REGISTRY: `${registry.base}/`,
        },
      });
    });
    afterAll(async () => {
      bench.close();
      await spawner.close();
    });

    test.each(buildAttacks)('$attempt', async (attack) => {
      const { result, bundle } = await bench.build({ code: published(attack) });

      const message = result.ok ? BUILDS : result.message;
      expect(`${message} ${String(bundle)}`).not.toContain(CANARY);
      expect(message).toContain(outcomeAt(attack, level));
      expect(result.ok).toBe(outcomeAt(attack, level) === BUILDS);
      expect(readdirSync(outside).sort()).toEqual(Object.keys(CANARIES).sort());
    });

    // Packing and unpacking the files takes half a minute, and npm counts them at every level.
    test.runIf(repetitions(false, level === testedLevels[0]))('a package of 55,000 files', async () => {
      const entries = Array.from({ length: 55_000 }, (_, n) => ({ path: `package/many/${n}`, content: 'x' }));
      const { result } = await bench.build({ code: published({ attempt: '', outcome: '', entries }) });

      expect(result).toMatchObject({ ok: false, code: 'build_failed' });
      expect(result.ok || result.message).toContain('have more than 50,000 files');
    });
  });
}

test('a link that a build process leaves for its bundle is refused', async () => {
  const bundle = join(folder, 'bundle.mjs');
  symlinkSync(join(outside, 'canary.js'), bundle);

  await expect(readBundle(bundle)).rejects.toThrow('ELOOP');
});
