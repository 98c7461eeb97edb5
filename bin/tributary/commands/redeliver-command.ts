import * as z from 'zod';
import { Delivery } from '../session/response-schemas.ts';
import type { CommandTree } from '../command-tree.ts';
import { LONGEST_WAIT_MS, waitRule } from '../events/poll-until.ts';
import { waitForAttempt } from '../events/wait-for-attempt.ts';
import { refusedFailure } from '../failures.ts';
import { deliveryPath } from '../input/resolve-name.ts';
import { outcomeText } from '../output/delivery-columns.ts';
import { sentText } from '../output/sent-text.ts';
import type { Session } from '../session/command-session.ts';
import { NO_WAIT, Waiting } from './shared-options.ts';

const Input = Waiting.extend({ webhook: z.string(), delivery: z.string() });

export function addRedeliverCommand({ program, leaf }: CommandTree): void {
  leaf(program, {
    usage: 'redeliver <webhook> <delivery>',
    about: 'Send a delivery again, also while the webhook is off, and say whether it was delivered.',
    options: [NO_WAIT],
    input: Input,
    examples: [
      ['tributary redeliver shop dl_1a2b3c', 'one delivery; exit 1 if it fails again'],
      [
        'tributary deliveries shop --status failed -n 100 -q | xargs -n1 tributary redeliver shop',
        'the last 100 that were given up',
      ],
    ],
    run: redeliver,
  });
}

async function redeliver(session: Session, { webhook, delivery: id, wait }: z.infer<typeof Input>): Promise<void> {
  const { output } = session;
  const api = await session.api();
  const path = await deliveryPath(api, webhook, id);
  const before = await api.send('POST', `${path}/redeliver`, Delivery);
  if (!wait) {
    output.result(before, `The attempt of ${before.id} is queued.`);
    return;
  }
  const onSlow = async () => {
    const problem = await api.healthProblem();
    output.note(`${problem ?? 'The attempt waits, or its receiver has not answered.'} ${waitRule('attempt')}`);
  };
  const after = await waitForAttempt(api, { path, attempts: before.attempts, onSlow });
  if (!after) {
    throw refusedFailure(
      `No attempt has ended within ${LONGEST_WAIT_MS / 1_000} s. It is still queued; \`tributary deliveries get\` shows it.`,
      'attempt_not_ended',
    );
  }
  const isDelivered = after.last_attempt?.outcome === 'delivered';
  output.result(after, sentText(1, isDelivered ? 1 : 0));
  if (isDelivered) return;
  const { reason, answer } = after.attempt_log.at(-1) ?? {};
  const text = [outcomeText(after.last_attempt), reason ?? answer ?? ''].join('\n').trimEnd();
  throw refusedFailure(`The attempt failed: ${text}`, 'delivery_failed');
}
