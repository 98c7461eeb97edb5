import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { serveFiles } from '../../support/files-over-http.ts';
import { programArguments } from '../../support/program-arguments.ts';
import { Receiver } from '../../support/receiver.ts';
import { startService, stopService, TEST_KEY } from '../../support/service.ts';
import { clients } from './clients.ts';
import { propertyRun } from './property-run.ts';
import { type ClientResult, PARTS, tryClient } from './try-client.ts';

/**
 * `npm run generated-clients`: makes clients from the OpenAPI document and lets each do the main job against a service
 * of its own.
 */
const {
  names: [only],
} = programArguments({
  usage: 'npm run generated-clients -- [PART]',
  does: 'Makes clients with generators of several languages, and lets each do the main job.\nThen schemathesis sends requests that it generates from the document.\nWith PART it tries those whose generator and language contain it.',
  names: z.array(z.string()).max(1, 'There is at most one PART.'),
  options: {},
});

const EVENT_TIME = 1_767_225_600_123;
const COMPONENT = `export default {
  name: 'Job',
  run(event) {
    if (event.fail) throw new Error('It fails as asked.');
    this.$emit(event, { summary: 'One event', ts: ${EVENT_TIME} });
  },
};`;

const nameOf = ({ client: { generator, language } }: Pick<ClientResult, 'client'>) => `${generator}, ${language}`;

const folder = await mkdtemp(join(tmpdir(), 'generated-clients-'));
const service = await startService({ dataDir: join(folder, '.data') });
const receiver = await Receiver.start();
const files = await serveFiles(folder);
files.texts.set('/job.mjs', COMPONENT);

const results: ClientResult[] = [];
try {
  const document = await (await fetch(`${service.origin}/openapi.json`)).text();
  const env = {
    ORIGIN: service.origin,
    KEY: TEST_KEY,
    COMPONENT_URL: `${files.origin}/job.mjs`,
    HOOK_URL: receiver.url,
  };
  const isChosen = (name: string) => name.toLowerCase().includes((only ?? '').toLowerCase());
  const context = { document, env, eventTime: EVENT_TIME };
  for (const client of clients) {
    if (!isChosen(nameOf({ client }))) continue;
    const result = await tryClient(client, context);
    results.push(result);
    process.stdout.write(`${nameOf(result)}: ${result.reason ?? 'the whole job'}\n`);
  }
  if (isChosen('schemathesis')) process.stdout.write(`schemathesis: ${await propertyRun(context)}\n`);
} finally {
  await files.stop();
  await receiver.stop();
  await stopService(service);
  await rm(folder, { recursive: true, force: true });
}

const tableLine = ({ client, done, reason }: ClientResult) =>
  [
    client.generator,
    client.language,
    reason?.startsWith('skipped') === true ? 'skipped' : `${done.length} of ${PARTS.length}`,
    reason === undefined ? 'whole job' : 'failed',
  ].join(' | ');
process.stdout.write(
  `\n| generator | language | parts | result |\n| --- | --- | --- | --- |\n${results.map((result) => `| ${tableLine(result)} |`).join('\n')}\n`,
);
process.exit(results.every(({ reason }) => reason === undefined || reason.startsWith('skipped')) ? 0 : 1);
