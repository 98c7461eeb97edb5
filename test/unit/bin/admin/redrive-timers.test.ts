import { expect, test } from 'vitest';
import { redriveDeadLetters } from '../../../../bin/admin/commands/dead-letter-commands.ts';
import type { DeadLetter } from '../../../../shared/aws/letters/dead-letters.ts';
import { sampleMessages } from '../../../programs/recorded/sample-messages.ts';

const ids = {
  echo: 'dc_echo',
  hourly: 'dc_hourly',
  often: 'dc_often',
  failing: 'wh_failing',
  held: 'wh_held',
  recovering: 'wh_recovering',
  owner: 'u_ann',
  delivery: 'dlv_one',
  recovery: 'rcv_one',
};
const letters = sampleMessages(ids, 0).timers.map((message, index): DeadLetter => ({
  id: String(index),
  handle: String(index),
  body: JSON.stringify(message),
  sentAt: 0,
  groupId: undefined,
  isFifo: false,
  wasMoved: false,
  attributes: new Map(),
}));

test('a redrive of timers sends what nothing makes again, such as the revocation of a sign-in, and deletes ticks', async () => {
  const pages = [letters, []];
  const sent: DeadLetter[] = [];
  const dropped: DeadLetter[] = [];
  const timers = {
    receive: () => Promise.resolve(pages.shift() ?? []),
    release: () => Promise.resolve(),
    redrive: (some: readonly DeadLetter[]) => Promise.resolve(void sent.push(...some)),
    drop: (some: readonly DeadLetter[]) => Promise.resolve(void dropped.push(...some)),
  };
  const deadLetters = { timers } as unknown as Parameters<typeof redriveDeadLetters.run>[0]['deadLetters'];
  const operator = { deadLetters } as Parameters<typeof redriveDeadLetters.run>[0];
  const { json } = await redriveDeadLetters.run(operator, { queue: 'timers' });
  const kindsOf = (all: readonly DeadLetter[]) =>
    [...new Set(all.map(({ body }) => (JSON.parse(body) as { kind: string }).kind))].sort();
  expect(kindsOf(dropped)).toEqual(['due', 'heartbeat', 'minute']);
  expect(kindsOf(sent)).toEqual(['flight', 'idle-accounts', 'metrics', 'metrics-of-user']);
  expect(json).toEqual({ queue: 'timers', redriven: sent.length, dropped: dropped.length });
});
