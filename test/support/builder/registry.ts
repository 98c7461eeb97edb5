import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface PackageVersion {
  version: string;
  files: Record<string, string>;
  /** Further fields of its package.json. */
  manifest?: Record<string, unknown>;
  /** Runs in the folder before it is packed, e.g. `ln -s`. */
  shell?: string;
  /** Another address of the archive. */
  tarball?: string;
  /** Changes the archive after its hash was taken. */
  tampered?: boolean;
}

interface Packed {
  archive: Buffer;
  manifest: Record<string, unknown>;
}

/** A registry of npm's with the given packages, the last version of each the latest. */
export async function npmRegistry(packages: Record<string, PackageVersion[]>, redirects: Record<string, string> = {}) {
  const archives = new Map<string, Buffer>();
  const requests: string[] = [];
  let base = '';

  function pack(name: string, { version, files, manifest = {}, shell, tampered, tarball }: PackageVersion): Packed {
    const folder = mkdtempSync(join(tmpdir(), 'pack-'));
    const described = { name, version, main: 'index.js', ...manifest };
    for (const [file, text] of Object.entries({ 'package.json': JSON.stringify(described), ...files })) {
      mkdirSync(dirname(join(folder, 'package', file)), { recursive: true });
      writeFileSync(join(folder, 'package', file), text);
    }
    if (shell) execFileSync('sh', ['-c', shell], { cwd: join(folder, 'package') });
    execFileSync('tar', ['czf', 'package.tgz', 'package'], { cwd: folder });
    const archive = readFileSync(join(folder, 'package.tgz'));
    rmSync(folder, { recursive: true });
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    const path = `/${name}/-/${version}.tgz`;
    archives.set(path, tampered ? Buffer.concat([archive, Buffer.from('x')]) : archive);
    return { archive, manifest: { ...described, dist: { tarball: tarball ?? base + path, integrity } } };
  }

  function packument(name: string): unknown {
    const versions = packages[name]?.map((one) => pack(name, one).manifest);
    return (
      versions && {
        name,
        'dist-tags': { latest: versions.at(-1)?.['version'] },
        versions: Object.fromEntries(versions.map((one) => [one['version'], one])),
      }
    );
  }

  const known = new Map<string, unknown>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    requests.push(path);
    const location = redirects[path];
    if (location) return response.writeHead(302, { location }).end();
    const archive = archives.get(path);
    if (archive) return response.end(archive);
    const name = path.slice(1);
    if (!known.has(name)) known.set(name, packument(name));
    const found = known.get(name);
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `${base}/`, requests, close: () => server.close() };
}
