import fc from 'fast-check';
import { send } from './send.ts';
import { createSource, deleteEvents, deleteSource, updateSource } from './sources.ts';
import { type Step, stepsOf } from './step.ts';
import { subscribe, unsubscribe } from './subscriptions.ts';
import { outage, wait } from './time.ts';
import { createWebhook, deleteWebhook, recover, redeliver, rotateSecret, switchWebhook } from './webhooks.ts';

/**
 * Every kind of step. A new kind is a line here, and what it promises is a function of `promises.ts` or
 * `webhook-promises.ts`.
 */
const step: fc.Arbitrary<Step> = fc.oneof(
  stepsOf(send),
  stepsOf(subscribe),
  stepsOf(unsubscribe),
  stepsOf(createWebhook),
  stepsOf(deleteWebhook),
  stepsOf(switchWebhook),
  stepsOf(rotateSecret),
  stepsOf(redeliver),
  stepsOf(recover),
  stepsOf(createSource),
  stepsOf(updateSource),
  stepsOf(deleteSource),
  stepsOf(deleteEvents),
  stepsOf(wait),
  stepsOf(outage),
);

/** Rounds of steps. The steps of a round are taken at the same time. */
export const workload = (rounds: number): fc.Arbitrary<Step[][]> =>
  fc.array(fc.array(step, { minLength: 2, maxLength: 6 }), { minLength: rounds, maxLength: rounds });
