import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { HonestUser, type Source } from '../../programs/honest/user.ts';
import { TEST_KEY } from '../../support/service.ts';
import { shareAssembly } from '../../support/share-assembly.ts';
import { until } from '../../support/until.ts';

/** Each lane sends one request after the other, so the service accepts its numbers in order. */
const LANES = 32;
const REQUESTS_PER_LANE = 625;
const ALL = LANES * REQUESTS_PER_LANE;

/**
 * Compares each number with the last one of its lane. A lane repeats a request without a response, which may have been
 * accepted.
 */
const COUNTING = `export default {
  name: 'Counting', version: '0.0.1', props: { http: '$.interface.http', db: '$.service.db' },
  run({ body: { lane, n, isLast } }) {
    const last = this.db.get('last') ?? {};
    if (isLast) return void this.$emit({ last });
    const before = last[lane] ?? -1;
    if (n !== before && n !== before + 1) this.$emit({ lane, n, before }, { name: 'disorder' });
    this.db.set('last', { ...last, [lane]: n });
  },
};`;

let user: HonestUser;
let source: Source;
beforeAll(async () => {
  user = await HonestUser.start(shareAssembly);
  source = await user.source(COUNTING);
});
afterAll(() => user.stop());

/** The output of an operator's command. */
async function admin(...argv: string[]): Promise<unknown> {
  const child = spawn(process.execPath, ['bin/tributary.mjs', 'admin', ...argv, '--json'], {
    env: { ...process.env, DATA_DIR: user.dataDir },
  });
  let out = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  return JSON.parse(out);
}

async function read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const response = await fetch(`${user.base}${path}`, { headers: { authorization: `Bearer ${TEST_KEY}` } });
  return schema.parse(await response.json());
}

const Waiting = z.object({ data: z.object({ waiting: z.number() }) });
const Events = z.object({ data: z.array(z.object({ event: z.unknown() })) });

const waiting = async () => (await read(`/sources/${source.id}`, Waiting)).data.waiting;
const events = async (stream: string) =>
  (await read(`/sources/${source.id}/event_summaries?expand=event&event_name=${stream}`, Events)).data.map(
    ({ event }) => event,
  );

test(`kill -9 while ${ALL} triggers wait, as they are moved and as they run: none is lost, and the order is kept`, async () => {
  const [{ id } = { id: '' }] = z.array(z.object({ id: z.string() })).parse(await admin('users', 'list'));
  // Triggers of a suspended user wait in the same backlog as those of a source that has been behind for a minute.
  await admin('users', 'suspend', '--user', id);
  let sent = 0;
  let killed: Promise<void> | undefined;
  const lane = async (_: unknown, index: number) => {
    for (let n = 0; n < REQUESTS_PER_LANE; n += 1) {
      await user.send(source.path, { lane: index, n });
      sent += 1;
      if (sent > ALL / 2) killed ??= user.restart('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await killed;
  await user.send(source.path, { isLast: true });

  await admin('users', 'resume', '--user', id);
  await until('some of them have run', async () => {
    const left = await waiting();
    return left > 0 && left < (ALL * 3) / 4;
  });
  await user.restart('SIGKILL');

  const [last] = await until('the last one has run', async () => {
    const found = await events('');
    return found.length > 0 && found;
  });
  expect(last).toEqual({
    last: Object.fromEntries(Array.from({ length: LANES }, (_, index) => [index, REQUESTS_PER_LANE - 1])),
  });
  expect(await events('disorder')).toEqual([]);
  expect([...user.refused]).toEqual([]);
});
