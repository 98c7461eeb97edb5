import { mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { commandOf, descendants, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { shareAssembly } from '../../support/share-assembly.ts';
import { until } from '../../support/until.ts';
import { availableLevels } from './levels.ts';

/**
 * Processes that touch user code inherit no file of the service, whose store is open, and do not learn where its data
 * directory is.
 */

interface Descriptor {
  program: string;
  target: string;
  isWritable: boolean;
}

/** Open descriptors of a process, none once it has ended. */
function descriptorsOf(pid: number, program: string): Descriptor[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => ({
      program,
      target: readlinkSync(`/proc/${pid}/fd/${fd}`),
      // The last octal digit of the flags is the access mode; 0 is for reading.
      isWritable: !/^flags:\s+\d*[04]$/m.test(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8')),
    }));
  } catch {
    return [];
  }
}

/** Arguments, environment and working directory of a process, empty once it has ended. */
function knowledgeOf(pid: number): string[] {
  try {
    return [
      ...commandOf(pid),
      ...readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'),
      readlinkSync(`/proc/${pid}/cwd`),
      readlinkSync(`/proc/${pid}/exe`),
    ];
  } catch {
    return [];
  }
}

const PROGRAMS: readonly [string, (command: string) => boolean][] = [
  ['spawner', (command) => command.includes('spawner')],
  ['compiler', (command) => command.includes('esbuild') && command.includes('--service')],
  ['sandbox', (command) => /^\S*bwrap /.test(command)],
  ['builder', (command) => command.includes('--max-old-space-size=1024')],
  ['runner', (command) => command.includes('--permission') || command.includes('--experimental-permission')],
];

const programOf = (pid: number): string | undefined => {
  const command = commandOf(pid).join(' ');
  return PROGRAMS.find(([, is]) => is(command))?.[0];
};

/** Files of the process itself, and those that `bwrap` opens while it makes a sandbox. */
const isOwn = (target: string): boolean =>
  target.startsWith('/proc/') || /^\/(?:runner|tributary-builder)-/.test(target.replace(realpathSync(tmpdir()), ''));

const KINDS = /^(?:pipe|socket|anon_inode):|^\/dev\/(?:null|urandom)$/;

describe.for(availableLevels)('%s', (level) => {
  test('processes for user code have pipes, sockets and their own files only, and nothing names the data directory', async () => {
    const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'descriptors-')));
    shareAssembly(dataDir);
    const service = await startService({ dataDir, env: { ISOLATION: level } });
    onTestFinished(async () => {
      await stopService(service);
      rmSync(dataDir, { recursive: true, force: true });
    });
    const api = await apiClient(service.base, TEST_KEY);
    const created = await api.post('/sources', {
      component_code: `export default { name: 'Waits', version: '1', props: { timer: { type: '$.interface.timer', default: { intervalSeconds: 3600 } } }, async run() {} };`,
    });
    expect(created.status).toBe(200);
    const pid = service.process.pid ?? 0;
    expect(descriptorsOf(pid, 'service').some(({ target }) => target.startsWith(dataDir))).toBe(true);

    const programs = await until('every program has started', () => {
      // The service has a compiler of its own.
      const spawner = descendants(pid).find((child) => programOf(child) === 'spawner');
      const found = (spawner === undefined ? [] : [spawner, ...descendants(spawner)]).flatMap((child) => {
        const program = programOf(child);
        return program === undefined ? [] : [{ child, program }];
      });
      const names = new Set(found.map(({ program }) => program));
      return ['spawner', 'compiler', 'builder', 'runner'].every((name) => names.has(name)) && found;
    });
    const open = programs.flatMap(({ child, program }) => descriptorsOf(child, program));

    expect(open.length).toBeGreaterThan(programs.length);
    expect(
      open.filter(
        ({ target, isWritable }) => target.startsWith(dataDir) || (isWritable && !KINDS.test(target) && !isOwn(target)),
      ),
    ).toEqual([]);
    // The spawner is a program of the service.
    const known = programs.flatMap(({ child, program }) =>
      program === 'spawner' || program === 'compiler' ? [] : knowledgeOf(child).map((text) => ({ program, text })),
    );
    expect(known.some(({ program }) => program === 'builder')).toBe(true);
    expect(known.some(({ program }) => program === 'runner')).toBe(true);
    expect(known.filter(({ text }) => text.includes(basename(dataDir)))).toEqual([]);
  });
});
