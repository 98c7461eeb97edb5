import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { serveFiles } from '../../support/files-over-http.ts';
import { PIPEDREAM } from '../../support/pipedream.ts';
import { programArguments } from '../../support/program-arguments.ts';
import { startService, stopService, TEST_KEY } from '../../support/service.ts';
import { seenByNode } from './plain-node.ts';
import { report } from './report.ts';
import { standInResults } from './stand-in-results.ts';
import { type Row, tryComponent } from './try-component.ts';

/**
 * `npm run compat`: deploys every source of the npm package `pipedream` by address to a service of its own, through the
 * public interface, and writes docs/component-compatibility.md. With a part of a path it tries those components only
 * and writes nothing.
 */
const REPORT = 'docs/component-compatibility.md';
const {
  names: [only],
} = programArguments({
  usage: 'npm run compat -- [PART]',
  does: `Deploys every source of the npm package pipedream, and writes ${REPORT}.\nWith PART it tries those whose path contains it, and writes nothing.`,
  names: z.array(z.string()).max(1, 'There is at most one PART.'),
  options: {},
});

const started = Date.now();
const all = await seenByNode();
const chosen = all.filter(({ path }) => path.includes(only ?? ''));
const files = await serveFiles(PIPEDREAM);
const dataDir = await mkdtemp(join(tmpdir(), 'compat-'));
const service = await startService({
  dataDir,
  // Port 1 refuses connections, so no request reaches a real upstream.
  env: { RUNNER_HOSTS: JSON.stringify({ '*': '127.0.0.1:1' }) },
});

const rows: Row[] = [];
const left = [...chosen];
async function work(): Promise<void> {
  for (let seen = left.shift(); seen; seen = left.shift()) {
    const row = await tryComponent({ base: service.base, key: TEST_KEY }, files.origin, seen);
    rows.push(row);
    if (!row.described) process.stdout.write(`${seen.path}: ${row.reason}\n`);
  }
}
try {
  await Promise.all(Array.from({ length: cpus().length + 1 }, work));
} finally {
  await stopService(service);
  await files.stop();
  await rm(dataDir, { recursive: true, force: true });
}
rows.sort((a, b) => (a.seen.path < b.seen.path ? -1 : 1));
const seconds = Math.round((Date.now() - started) / 1000);
const count = (holds: (row: Row) => boolean) => rows.filter(holds).length;
process.stdout.write(
  `${count(({ created }) => created)} created, ${count(({ described }) => described)} described of ${rows.length} in ${seconds} s\n`,
);
if (only === undefined) await writeFile(REPORT, await report(rows, await standInResults()));
process.exit(rows.every(({ described }) => described) ? 0 : 1);
