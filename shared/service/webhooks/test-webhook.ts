import { type PayloadStore, storedPayload } from '../../aws/payloads.ts';
import { type Attempt, summaryOf, TEST_STREAM } from '../../domain/delivery/delivery.ts';
import { shortHash } from '../../domain/event/emit-id.ts';
import { ServiceError } from '../../domain/errors.ts';
import { DeliveryId, newId, type Random } from '../../domain/id.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import { deliveryPayloadKey } from '../../aws/object-keys.ts';
import type { OwnedDeliveries } from '../delivery/owned-deliveries.ts';
import { MAX_TESTS, type TestSlots } from '../../store/deliveries/test-slots.ts';
import { LATER_TIMEOUT_MS, targetOfWebhook } from '../delivery/http-target.ts';
import { attemptOf, logAttempt, sendAttempt, type SendServices } from '../delivery/send-attempt.ts';
import type { DeliveryServices } from '../delivery/delivery-services.ts';

interface TestWebhookOptions extends SendServices, Pick<DeliveryServices, 'writeLine'> {
  deliveries: Pick<OwnedDeliveries, 'create'>;
  testSlots: TestSlots;
  bucket: PayloadStore;
  isPaused: boolean;
  random: Random;
}

/** Sends a test event to a webhook, whatever its state, and logs it. It changes nothing of the webhook's health. */
export async function testWebhook(
  options: TestWebhookOptions,
  { webhook, body }: { webhook: Webhook; body: string },
): Promise<Attempt> {
  if (options.isPaused)
    throw new ServiceError(
      'unavailable',
      'The service is paused and delivers nothing. Test the webhook after a normal start.',
    );
  const free = await options.testSlots.take(webhook.id, options.now());
  if (!free) {
    throw new ServiceError(
      'too_many_tests',
      `A webhook can be tested ${MAX_TESTS} times at once. Try again when one of these tests has ended.`,
      { retryAfterSeconds: 1 },
    );
  }
  try {
    return await attemptTest(options, webhook, body);
  } finally {
    await free();
  }
}

async function attemptTest(options: TestWebhookOptions, webhook: Webhook, body: string): Promise<Attempt> {
  const { deliveries, random, now } = options;
  const id = DeliveryId.parse(newId('delivery', now(), random));
  const emitId = shortHash(id);
  const target = targetOfWebhook(webhook, now());
  const encoded = { json: body, utf8: Buffer.from(body) };
  const sent = { emitterId: webhook.id, stream: TEST_STREAM, emitId, body: encoded.utf8 };
  const outcome = await sendAttempt(options, {
    target,
    sent,
    timeoutMs: LATER_TIMEOUT_MS,
    keepsResponse: true,
  });
  const attempt = attemptOf(outcome, 1);
  logAttempt(options, () => ({ target, sent, deliveryId: id, attempt, cause: 'test' }));
  await deliveries.create(
    {
      id,
      listenerId: webhook.id,
      ownerId: webhook.ownerId,
      stream: TEST_STREAM,
      emitId,
      status: attempt.outcome === 'delivered' ? 'delivered' : 'failed',
      attemptCount: 1,
      scheduleStep: 1,
      messageNumber: 0,
      lastAttempt: summaryOf(attempt),
    },
    { payload: await storedPayload(options.bucket, encoded, deliveryPayloadKey(webhook.id, id)), attempt },
  );
  return attempt;
}
