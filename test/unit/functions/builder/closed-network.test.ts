import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webSite } from '../../../support/builder/web-site.ts';
import { npmRegistry } from '../../../support/builder/registry.ts';
import { type Workbench, workbench } from './workbench.ts';

let bench: Workbench;
let registry: Awaited<ReturnType<typeof npmRegistry>>;
let github: Awaited<ReturnType<typeof webSite>>;
let archives: Awaited<ReturnType<typeof webSite>>;

beforeAll(async () => {
  github = await webSite({
    '/Owner/Repository/main/components/a/a.mjs': `import b from '../b.mjs'; export default { b }`,
    '/Owner/Repository/main/components/b.mjs': `export default 'from the stand-in'`,
    '/Owner/Repository/HEAD/components/b.mjs': `export default 'of the default branch'`,
    '/Owner/Repository/main/away.mjs': (_, response) =>
      response.writeHead(302, { location: 'http://127.0.0.2:1/x.mjs' }).end(),
  });
  archives = await webSite();
  const refused = archives.base.replace('127.0.0.1', '127.0.0.2');
  const files = { 'index.js': 'module.exports = 1' };
  registry = await npmRegistry(
    {
      fine: [{ version: '1.0.0', files }],
      elsewhere: [{ version: '1.0.0', files, tarball: `${refused}/elsewhere.tgz` }],
      redirected: [{ version: '1.0.0', files }],
    },
    { '/redirected/-/1.0.0.tgz': `${refused}/redirected.tgz`, '/moved': `${refused}/moved` },
  );
  bench = await workbench({
    environment: {
      ALLOW_PRIVATE_NETWORK: '0',
      NETWORK_ALLOW_LIST: '127.0.0.1/32',
      NPM_REGISTRY: registry.url,
      COMPONENT_HOSTS: JSON.stringify({ 'raw.githubusercontent.com': github.base }),
    },
  });
});
afterAll(() => {
  bench.close();
  registry.close();
  github.close();
  archives.close();
});

describe('with private addresses refused', () => {
  test.each([
    'http://127.0.0.2:1/x.mjs',
    'http://127.0.0.2/x.mjs',
    'http://127.2/x.mjs',
    'http://0x7f000002/x.mjs',
    'http://[::1]/x.mjs',
    'http://[::ffff:127.0.0.2]/x.mjs',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/x.mjs',
    'https://192.168.0.1/x.mjs',
  ])('%s is not fetched', async (url) => {
    expect(await bench.failure({ url })).toMatch(
      /could not be fetched: .* address, and this service does not connect to those$/,
    );
  });

  test('nor is what an allowed address redirects to', async () => {
    const url = 'https://github.com/Owner/Repository/blob/main/away.mjs';
    expect(await bench.failure({ url })).toContain('127.0.0.2 is a loopback address');
  });

  test('nor is one looked at again, whatever an earlier build is said to have fetched', async () => {
    const requested: string[] = [];
    const refused = createServer((request, response) => {
      requested.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => refused.listen(0, '127.0.0.2', resolve));
    const { port } = refused.address() as AddressInfo;
    const url = 'https://raw.githubusercontent.com/Owner/Repository/HEAD/components/b.mjs';
    const earlier = await bench.left({ url });
    const input = { address: `http://127.0.0.2:${port}/b.mjs`, found: 'failed' };
    await bench.build({ url, earlier: { ...earlier, inputs: [...earlier.inputs, input] } });
    expect(requested).toEqual([]);
    refused.close();
  });

  test.each([
    ['whose archive lies at one', 'elsewhere', 'cannot be installed'],
    ['whose archive is redirected to one', 'redirected', '127.0.0.2 is a loopback address'],
    ['that is redirected to one', 'moved', '127.0.0.2 is a loopback address'],
  ])('nor is a package %s', async (_, name, message) => {
    expect(await bench.failure({ code: `import x from '${name}'; export default x` })).toContain(message);
    expect(archives.requests).toEqual([]);
  });

  test('a registry that the stage allows is used', async () => {
    expect(await bench.value({ code: `import x from 'fine'; export default { x }` }, 'component.x')).toBe(1);
  });
});

describe('GitHub, through a stand-in for its host', () => {
  test.each([
    'https://github.com/Owner/Repository/blob/main/components/a/a.mjs',
    'https://github.com/Owner/Repository/raw/main/components/a/a.mjs',
    'https://raw.githubusercontent.com/Owner/Repository/main/components/a/a.mjs',
  ])('%s, with a relative import of the same ref', async (url) => {
    expect(await bench.value({ url }, 'component.b')).toBe('from the stand-in');
  });

  test('an address without a ref means the default branch', async () => {
    const url = 'https://github.com/Owner/Repository/components/b.mjs';
    expect(await bench.value({ url }, 'component')).toBe('of the default branch');
  });

  test('a missing file is named by the address that people know', async () => {
    const url = 'https://github.com/Owner/Repository/blob/main/none.mjs';
    expect(await bench.failure({ url })).toBe(
      'component_url https://raw.githubusercontent.com/Owner/Repository/main/none.mjs answered 404',
    );
  });
});
