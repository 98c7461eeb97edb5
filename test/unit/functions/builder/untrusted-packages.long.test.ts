import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishedSize, refuseExcess, withinLimits } from '../../../../functions/builder/packages/install-limits.ts';
import { archive } from '../../../support/builder/archive.ts';
import { webSite } from '../../../support/builder/web-site.ts';
import { type Workbench, workbench } from './workbench.ts';

const MB = 1_000_000;
const TOO_LARGE =
  'the packages that this component imports have more than 300 MB when installed; import fewer or smaller ones';
const TOO_MANY = 'the packages that this component imports have more than 50,000 files; import fewer or smaller ones';

let bench: Workbench;
let registry: Awaited<ReturnType<typeof webSite>>;
beforeAll(async () => {
  registry = await webSite();
  bench = await workbench({
    environment: { ALLOW_PRIVATE_NETWORK: '1', NPM_REGISTRY: `${registry.base}/` },
  });
});
afterAll(() => {
  bench.close();
  registry.close();
});

const from = (name: string) => ({ code: `import value from '${name}'; export default { value }` });
let count = 0;
/** An archive that no other package has, because npm's cache finds archives by their hash. */
const own = (...entries: Parameters<typeof archive>[0][]) =>
  archive([
    { path: 'package/package.json', content: '{}' },
    { path: 'package/index.js', content: 'module.exports = 1' },
    { path: 'package/count', content: String((count += 1)) },
    ...entries.flatMap((some) => [...some]),
  ]);

/** A document of the registry for one version. */
function publish(
  name: string,
  tarball: Buffer,
  manifest: Record<string, unknown> = {},
  dist: Record<string, unknown> = {},
): void {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const version = {
    name,
    version: '1.0.0',
    dist: { tarball: `${registry.base}/${name}.tgz`, integrity, ...dist },
    ...manifest,
  };
  respond(name, JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }));
  registry.files[`/${name}.tgz`] = tarball;
}

function respond(name: string, body: string | Buffer | ((response: ServerResponse) => void)): void {
  registry.files[`/${name}`] = (_, response) => {
    if (typeof body === 'function') body(response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };
}

/** The number of files and bytes in the directories of all builds, and in the cache of packages. */
function onDisk(): { files: number; bytes: number } {
  const paths = readdirSync(bench.folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^tributary-builder[^/]*\/(?:installed-sets\/.*node_modules|packages\/(?:content|tmp))/.test(path),
  );
  const found = paths.map((path) => statSync(join(bench.folder, path))).filter((stats) => stats.isFile());
  return { files: found.length, bytes: found.reduce((sum, { size }) => sum + size, 0) };
}

/** The spawner removes what is left a moment after the response. */
const isAsBefore = (before: ReturnType<typeof onDisk>) => expect.poll(onDisk).toEqual(before);

describe('limits of the packages of a component', () => {
  test('a package that says it has more than 300 MB is refused before it is fetched', async () => {
    publish('says-large', own(), {}, { unpackedSize: 300 * MB + 1, fileCount: 2 });
    expect(await bench.failure(from('says-large'))).toBe(TOO_LARGE);
    publish('says-many', own(), {}, { unpackedSize: 1, fileCount: 50_001 });
    expect(await bench.failure(from('says-many'))).toBe(TOO_MANY);
    expect(registry.requests).not.toContain('/says-large.tgz');
  });

  test('a small archive that unpacks to 1.3 GB is stopped, and nothing of it is kept', async () => {
    const zeros = Buffer.alloc(64 * MB);
    const bomb = Array.from({ length: 20 }, (_, n) => ({ path: `package/${n}`, content: zeros }));
    const tarball = own(bomb);
    expect(tarball.length).toBeLessThan(8 * MB);
    publish('bomb', tarball);
    const before = onDisk();
    expect(await bench.failure(from('bomb'))).toBe(TOO_LARGE);
    await isAsBefore(before);
  });

  test('a package of 55,000 files that says nothing of them is refused in words, and nothing of it is kept', async () => {
    const files = Array.from({ length: 55_000 }, (_, n) => ({
      path: `package/f/${n % 100}/${n}`,
      content: '',
    }));
    publish('many', own(files));
    const before = onDisk();
    expect(await bench.failure(from('many'))).toBe(TOO_MANY);
    await isAsBefore(before);
  });

  test('nothing is kept of an installation whose process is killed', async () => {
    const program = join(bench.asset.root, 'child.js');
    const text = readFileSync(program);
    const counted = join(bench.folder, 'counted');
    writeFileSync(
      program,
      `const { basename, join } = require('node:path');
      const fs = require('node:fs');
      const requests = new (require('node:net').Socket)({ fd: 3, readable: true, writable: false });
      requests.on('data', (data) => {
        const { installedSetsDirectory, cacheDirectory, workDirectory } = JSON.parse(data).settings;
        const folder = join(installedSetsDirectory, 'unfinished-' + basename(workDirectory), 'tree', 'node_modules');
        for (const path of [folder, join(cacheDirectory, 'tmp')]) {
          fs.mkdirSync(path, { recursive: true });
          fs.writeFileSync(join(path, 'file'), 'x');
        }
        // Ends when the test has counted the files.
        setInterval(() => fs.existsSync(${JSON.stringify(counted)}) && process.exit(1), 10);
      });`,
    );
    const before = onDisk();
    const building = bench.build({ code: '', ownerId: 'u_killed' });
    await expect.poll(onDisk).toEqual({ files: before.files + 2, bytes: before.bytes + 2 });
    writeFileSync(counted, '');
    const { result } = await building;
    expect(result).toMatchObject({ ok: false, code: 'build_failed' });
    writeFileSync(program, text);
    await isAsBefore(before);
  });

  test('the next build of the same user works', async () => {
    publish('fine', own(), {}, { unpackedSize: 300 * MB, fileCount: 50_000 });
    expect(await bench.value(from('fine'), 'component.value')).toBe(1);
  });

  const folder = mkdtempSync(join(tmpdir(), 'install-limits-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const limits = { bytes: 3 * MB, files: 20, memoryBytes: 200 * MB };
  const never = () => new Promise<never>(() => setTimeout(() => undefined, 60_000).unref());
  const write = (name: string, bytes: number) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), Buffer.alloc(bytes));
  };

  test('an installation is stopped in the middle, by size, files, folders and memory', async () => {
    const stopped = (name: string, work: (path: string) => void) => {
      const path = mkdtempSync(join(folder, `${name}-`));
      return withinLimits(
        path,
        () => {
          setTimeout(() => work(path), 10);
          return never();
        },
        limits,
      );
    };
    const at = (path: string) => path.slice(folder.length + 1);
    await expect(stopped('size', (path) => write(`${at(path)}/a/b`, 3 * MB + 1))).rejects.toThrow(/3 MB/);
    const several = (path: string, ending: string) => {
      for (let n = 0; n <= 20; n += 1) write(`${at(path)}/${n}${ending}`, 0);
    };
    await expect(stopped('files', (path) => several(path, ''))).rejects.toThrow(/more than 20 files/);
    const held: Buffer[] = [];
    await expect(stopped('memory', () => held.push(Buffer.alloc(300 * MB, 1)))).rejects.toThrow(
      'the packages that this component imports need more than 0.2 GB of memory to be installed; import fewer or smaller ones',
    );
    expect(held).toHaveLength(1);
    const folders = (path: string) => {
      for (let n = 0; n <= 20; n += 1) mkdirSync(join(path, String(n)));
    };
    await expect(stopped('folders', folders)).rejects.toThrow(/more than 20 files/);
  });

  test('an installation within the limits passes, and one that exceeds them at its end does not', async () => {
    const path = mkdtempSync(join(folder, 'end-'));
    const put = (name: string, bytes: number) => () => {
      writeFileSync(join(path, name), Buffer.alloc(bytes));
      return Promise.resolve('installed');
    };
    expect(await withinLimits(path, put('a', 3 * MB), limits)).toBe('installed');
    await expect(withinLimits(path, put('b', 1), limits)).rejects.toThrow(/3 MB/);
  });

  test('sizes that a registry states are added up, without optional packages and nonsense', () => {
    const of = (dist: unknown, optional = false) => ({ package: { dist }, optional });
    const packages = [
      of({ unpackedSize: 1, fileCount: 2 }),
      of({ unpackedSize: 10, fileCount: 20 }),
      of({ unpackedSize: 100, fileCount: 200 }, true),
      of({ unpackedSize: 'much', fileCount: null }),
      of(undefined),
      { package: null, optional: false },
    ];
    expect(publishedSize(packages)).toEqual({ bytes: 11, files: 22 });
    expect(() => refuseExcess({ bytes: 300 * MB, files: 50_000 })).not.toThrow();
  });
});

describe('a malformed package is a failure of the build, in one sentence', () => {
  const dependency = (value: unknown) => ({ dependencies: { y: value } });
  const cases: [name: string, make: (name: string) => void][] = [
    ['link-dependency', (name) => publish(name, own(), dependency('link:/etc'))],
    ['workspace-dependency', (name) => publish(name, own(), dependency('workspace:*'))],
    ['file-dependency', (name) => publish(name, own(), dependency('file:../../../../etc'))],
    ['path-dependency', (name) => publish(name, own(), dependency('/etc'))],
    ['git-dependency', (name) => publish(name, own(), dependency('git+ssh://git@127.0.0.1/y.git'))],
    ['github-dependency', (name) => publish(name, own(), dependency('owner/repository'))],
    ['url-dependency', (name) => publish(name, own(), dependency('http://127.0.0.1:1/y.tgz'))],
    ['catalog-dependency', (name) => publish(name, own(), dependency('catalog:'))],
    ['patch-dependency', (name) => publish(name, own(), dependency('patch:y@1#x'))],
    ['alias-of-a-url', (name) => publish(name, own(), dependency('npm:http://127.0.0.1:1/y.tgz'))],
    ['bad-name', (name) => publish(name, own(), { dependencies: { '../../x': '1' } })],
    ['archive-is-a-file', (name) => publish(name, own(), {}, { tarball: 'file:///etc/passwd' })],
    ['archive-is-nothing', (name) => publish(name, own(), {}, { tarball: 'nothing' })],
    ['archive-is-a-number', (name) => publish(name, own(), {}, { tarball: 7 })],
    ['no-archive', (name) => publish(name, own(), {}, { tarball: undefined })],
    ['not-gzip', (name) => publish(name, Buffer.from('this is no archive'.repeat(100)))],
    ['broken-gzip', (name) => publish(name, Buffer.concat([own().subarray(0, 60), Buffer.alloc(600, 7)]))],
    ['not-tar', (name) => publish(name, gzipSync('this is no archive'.repeat(100)))],
    ['empty', (name) => publish(name, Buffer.alloc(0))],
    ['array', (name) => respond(name, '[]')],
    ['text', (name) => respond(name, '"text"')],
    ['null', (name) => respond(name, 'null')],
    ['number', (name) => respond(name, '7')],
    ['no-versions', (name) => respond(name, '{}')],
    ['versions-of-null', (name) => respond(name, `{"name":"${name}","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":null}}`)],
    ['versions-of-text', (name) => respond(name, `{"name":"${name}","dist-tags":{"latest":"1.0.0"},"versions":"1.0.0"}`)],
    ['no-manifest', (name) => respond(name, `{"name":"${name}","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{}}}`)],
    ['odd-version', (name) => publish(name, own(), { version: { toString: 1 } })],
    ['odd-integrity', (name) => publish(name, own(), {}, { integrity: { a: 1 } })],
    ['deep-document', (name) => respond(name, `{"versions":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)],
  ]; // oxfmt-ignore

  test.each(cases)('%s', async (name, make) => {
    make(name);
    const { result } = await bench.build(from(name));
    expect(result).toMatchObject({ ok: false, code: 'build_failed' });
    const message = result.ok ? '' : result.message;
    expect(message).toMatch(new RegExp(`^the packages? "${name}"`));
    expect(message).not.toMatch(/\n|undefined|Cannot read| {4}at /);
    expect(message).not.toContain(bench.folder);
    expect(message.length).toBeLessThan(600);
  });

  const harmless: [name: string, make: (name: string) => void][] = [
    ['cycle-a', (name) => { publish(name, own(), { dependencies: { 'cycle-b': '1' } }); publish('cycle-b', own(), { dependencies: { [name]: '1' } }); }],
    ['itself', (name) => publish(name, own(), { dependencies: { itself: '1' } })],
    ['odd-fields', (name) => publish(name, own(), { bin: 7, scripts: 'x', engines: [], os: {}, dependencies: [], peerDependencies: null, bundleDependencies: 'all', exports: undefined })],
    ['prototype', (name) => publish(name, own(), JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as Record<string, unknown>)],
    ['climbing-entry', (name) => publish(name, own([{ path: 'package/../../../../climbed', content: 'x' }, { path: '/tmp/tributary-climbed', content: 'x' }]))],
    ['links', (name) => publish(name, own([{ path: 'package/a', type: '2', target: '/etc' }, { path: 'package/b', type: '1', target: '/etc/passwd' }, { path: 'package/a/tributary-linked', content: 'x' }]))],
    ['conflict', (name) => publish(name, own([{ path: 'package/a', content: 'x' }, { path: 'package/a/b', content: 'x' }]))],
    ['device', (name) => publish(name, own([{ path: 'package/c', type: '2' }]))],
  ]; // oxfmt-ignore

  test.each(harmless)('%s does no harm', async (name, make) => {
    make(name);
    const { result } = await bench.build(from(name));
    if (!result.ok) expect(result).toMatchObject({ code: 'build_failed' });
    expect(existsSync('/tmp/tributary-climbed') || existsSync('/etc/tributary-linked')).toBe(false);
    const climbed = readdirSync(bench.folder, { recursive: true, encoding: 'utf8' });
    expect(climbed.filter((path) => /(?:^|\/)climbed$/.test(path))).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('a document without end is refused before it fills the memory', async () => {
    const zeros = gzipSync(Buffer.alloc(64 * MB, ' '), { level: 1 });
    let isOpen = true;
    respond('endless', (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.once('close', () => {
        isOpen = false;
      });
      const more = () => {
        if (!isOpen) return;
        if (response.write(zeros)) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    });
    const before = onDisk();
    expect(await bench.failure(from('endless'))).toMatch(/need more than 1 GB of memory to be installed|"endless"/);
    await isAsBefore(before);
  });
});
