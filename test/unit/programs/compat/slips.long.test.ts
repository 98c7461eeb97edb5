import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { compile } from '../../../../functions/builder/compile.ts';
import { componentFiles } from '../../../../functions/builder/files/component-files.ts';
import type { FetchFile } from '../../../../functions/builder/files/fetch-file.ts';
import { sourcesAt } from '../../../../functions/builder/files/source-files.ts';
import { ownModules } from '../../../../functions/builder/own-modules.ts';
import { scriptsOf } from '../../../../functions/builder/syntax-tree.ts';
import { slipsOf } from '../../../../functions/builder/slips/slips.ts';
import { inPlainNode, seenByNode } from '../../../programs/compat/plain-node.ts';
import { PIPEDREAM } from '../../../support/pipedream.ts';

const folder = mkdtempSync(join(tmpdir(), 'slips-'));
for (const name of ['platform.mjs', 'types.mjs', 'prelude.js'])
  writeFileSync(join(folder, name), 'export const axios = {}, DEFAULT_POLLING_SOURCE_TIMER_INTERVAL = 900;');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fetchFile: FetchFile = (address) => {
  const path = join(PIPEDREAM, new URL(address).pathname);
  if (!existsSync(path) || !statSync(path).isFile()) return Promise.resolve({ absent: address });
  const text = readFileSync(path, 'utf8');
  return Promise.resolve({ file: { address, requested: address, text, isPage: false } });
};

const SCRIPT = `process.stdout.write(JSON.stringify(process.argv.slice(1).map((path) => {
  const { props = {}, methods = {}, additionalProps } = require(path);
  return [...Object.keys(props), ...Object.keys(methods), ...(additionalProps ? ['*'] : [])];
})))`;

/**
 * Read by eye: each of these reads a member that it does not have, and goes on with `undefined`. YouTube's means the
 * variable of its loop.
 */
const TRUE_WARNINGS: Record<string, string> = {
  'airtable/sources/new-modified-or-deleted-records/new-modified-or-deleted-records.js': 'viewId',
  'airtable/sources/new-or-modified-records/new-or-modified-records.js': 'viewId',
  'airtable/sources/new-records/new-records.js': 'viewId',
  'google_calendar/sources/event-ended/event-ended.js': 'orderBy',
  'youtube/sources/new-videos-by-username/new-videos-by-username.js': 'channelId',
};

test('of 243 third-party sources only five get a warning of their code, and it is true', async () => {
  const own = ownModules(folder);
  const seen = await seenByNode();
  const members: unknown = JSON.parse(
    await inPlainNode(
      SCRIPT,
      seen.map(({ path }) => join(PIPEDREAM, path)),
    ),
  );
  const warned: Record<string, string> = {};
  for (const [n, { path }] of seen.entries()) {
    const sources = await sourcesAt(`https://component.invalid/${path}`, componentFiles(fetchFile));
    await compile({ sources, own, installed: undefined });
    const { arrows, reads } = slipsOf(await scriptsOf(sources.all()), sources.entry.id);
    const names: unknown = Array.isArray(members) ? members[n] : undefined;
    const known = new Set(Array.isArray(names) ? [...names, 'run'] : ['*']);
    const unknown = known.has('*') ? [] : reads.filter((name) => !known.has(name));
    if (arrows.length + unknown.length > 0) warned[path.replace('components/', '')] = [...arrows, ...unknown].join();
  }
  expect([seen.length, warned]).toEqual([243, TRUE_WARNINGS]);
});
