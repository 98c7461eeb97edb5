import { expect, onTestFinished, test } from 'vitest';
import { ECHO, Scene } from '../../support/scene.ts';
import { countPasses } from '../../support/text-passes.ts';
import { until } from '../../support/until.ts';

const MARK = 'a-text-of-one-event';

/**
 * An event of 64 KB from its request to its webhook. Written: the raw body in the event, the event in its trigger, in its item and in its
 * delivery. Read: the body's form, the trigger, the component's line, the summary, the delivery.
 */
const BUDGET = { written: 4, read: 5 };

test('a large event is written as JSON four times and read five times, and a small one is no more', async () => {
  const scene = await Scene.open();
  onTestFinished(() => scene.close());
  const source = await scene.source(ECHO);
  const hook = await scene.webhook();
  await scene.subscribe(source.id, hook.id);
  for (const [index, length] of [100, 64_000].entries()) {
    // The summary of a large event ends before the mark.
    const body = `{"text":"${'x'.repeat(length)}${MARK}"}`;
    const { passes, stop } = countPasses(MARK);
    try {
      const response = await fetch(source.endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(response.status).toBe(200);
      await until('the event is delivered and acknowledged', async () => {
        return hook.receiver.received.length > index && (await scene.isThrough()) && !scene.isBusy();
      });
    } finally {
      stop();
    }
    expect(hook.receiver.received[index]?.body).toContain(body);
    expect(passes.written, `written for ${length} characters`).toBeLessThanOrEqual(BUDGET.written);
    expect(passes.read, `read for ${length} characters`).toBeLessThanOrEqual(BUDGET.read);
    if (length > 1_000) expect(passes).toEqual(BUDGET);
  }
});
