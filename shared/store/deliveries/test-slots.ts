import type { WebhookId } from '../../domain/id.ts';
import { testsKey } from '../table/keys.ts';
import { updateItem, type TableOptions } from '../table/table-client.ts';

export type TestSlots = ReturnType<typeof testSlots>;

/** Tests of one webhook at the same time. */
export const MAX_TESTS = 5;
/** Longer than a test. The slot of a test that died is free after this. */
const SLOT_MS = 30_000;

/** Limits the tests of a webhook that run at the same time. */
export function testSlots(table: TableOptions) {
  const update = (
    webhookId: WebhookId,
    slot: number,
    { expression, condition, values }: { expression: string; condition: string; values: Record<string, number> },
  ) =>
    updateItem(table, {
      Key: testsKey(webhookId),
      UpdateExpression: expression,
      ConditionExpression: condition,
      ExpressionAttributeNames: { '#slot': `slot${slot}` },
      ExpressionAttributeValues: values,
    });

  return {
    /** Undefined when all slots are taken. The returned function frees the slot. */
    async take(webhookId: WebhookId, now: number): Promise<(() => Promise<void>) | undefined> {
      const until = now + SLOT_MS;
      for (let slot = 0; slot < MAX_TESTS; slot += 1) {
        const taken = await update(webhookId, slot, {
          expression: 'SET #slot = :until',
          condition: 'attribute_not_exists(#slot) OR #slot < :now',
          values: { ':until': until, ':now': now },
        });
        if (!taken) continue;
        return async () => {
          await update(webhookId, slot, {
            expression: 'REMOVE #slot',
            condition: '#slot = :until',
            values: { ':until': until },
          });
        };
      }
      return undefined;
    },
  };
}
