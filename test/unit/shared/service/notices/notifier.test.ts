import { expect, test } from 'vitest';
import { UserId } from '../../../../../shared/domain/id.ts';
import type { Notice } from '../../../../../shared/domain/notice/notice.ts';
import type { EmitTrigger } from '../../../../../shared/domain/run/message.ts';
import { createNotifier } from '../../../../../shared/service/notices/notifier.ts';
import { HOUR_MS } from '../../../../../shared/lib/durations.ts';

const notice: Notice = {
  name: 'webhook.failing',
  ownerId: UserId.parse('u_1'),
  subject: { id: 'wh_1', name: 'orders' },
  what: 'It answers 500.',
  since: 0,
};

function opened() {
  const sent: EmitTrigger[] = [];
  const lost: Notice[] = [];
  const state = { now: 0, isRefused: false };
  const notify = createNotifier({
    sendNotice: async (trigger) => {
      if (state.isRefused) throw new Error('the queue is full');
      sent.push(trigger);
    },
    onLost: (each) => void lost.push(each),
    now: () => state.now,
  });
  return { sent, lost, state, notify };
}

test('a process sends a notice once an hour, however often its subject changes', async () => {
  const { sent, state, notify } = opened();
  for (let n = 0; n < 5; n += 1) await notify(notice);
  await notify({ ...notice, name: 'webhook.recovered' });
  expect(sent).toHaveLength(2);
  state.now = HOUR_MS;
  await notify(notice);
  expect(sent).toHaveLength(3);
});

test('a notice that the queue refuses fails nothing, and the next one is sent', async () => {
  const { sent, lost, state, notify } = opened();
  state.isRefused = true;
  await notify(notice);
  expect(lost).toEqual([notice]);
  state.isRefused = false;
  await notify(notice);
  expect(sent).toHaveLength(1);
});
