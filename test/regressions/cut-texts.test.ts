import { afterAll, beforeAll, expect, test } from 'vitest';
import { cut, cutEnd, cutToBytes, hasAtMost, textOfStart } from '../../shared/lib/cut.ts';
import { lastLines } from '../../shared/domain/run/failure-report.ts';
import { logEvent } from '../../shared/domain/run/log-event.ts';
import { isWellFormed } from '../../shared/domain/text.ts';
import { metaOf } from '../../shared/runtime/emit.ts';
import { logText } from '../../shared/runtime/logs.ts';
import { runErrorOf } from '../../shared/runtime/thrown.ts';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const FACE = '😀';
/** Two texts of which one is cut inside a pair, whatever the limit is. */
const texts = (length: number) => [FACE.repeat(length), `x${FACE.repeat(length)}`];

test.for([
  ['summary', (text: string) => [metaOf({ summary: text }).summary ?? '']],
  [
    'code, name, message and stack of an error',
    (text: string) => {
      const error = Object.assign(new Error(text), { code: text, name: text, stack: text });
      const { code: cutCode, name, message, stack } = runErrorOf(error);
      return [cutCode, name, message, stack];
    },
  ],
  ['line of a log', (text: string) => [logText([text], (shown) => shown)]],
  ['lines of hook_failed', (text: string) => [lastLines([{ level: 'console.log', ts: 1, msg: text }])[0]?.msg ?? '']],
  ['$logs', (text: string) => [logEvent('r', [{ level: 'console.log', ts: 1, msg: text }]) ?? '']],
] as const)('the %s is never cut inside a character', ([, made]) => {
  for (const text of texts(20_000)) {
    for (const part of made(text)) {
      expect(part.length).toBeGreaterThan(50);
      expect(isWellFormed(part), part.slice(-4)).toBe(true);
      expect(part).not.toContain('\\ud83d');
      expect(part).not.toContain('�');
    }
  }
});

test('a cut keeps as many whole characters as fit', () => {
  expect([cut(`ab${FACE}`, 3), cut(`ab${FACE}`, 4), cut('abc', 2), cut('', 0)]).toEqual(['ab', `ab${FACE}`, 'ab', '']);
  expect([cutEnd(`${FACE}ab`, 3), cutEnd(`${FACE}ab`, 4), cutEnd('abc', 2)]).toEqual(['ab', `${FACE}ab`, 'bc']);
  expect([cutToBytes('aé', 2), cutToBytes('aé', 3), cutToBytes(`€${FACE}`, 6)]).toEqual(['a', 'aé', '€']);
  expect(textOfStart(Buffer.from(`ab${FACE}`), 5)).toBe('ab');
  expect([hasAtMost(FACE.repeat(3), 3), hasAtMost(FACE.repeat(4), 3), hasAtMost('abc', 3)]).toEqual([
    true,
    false,
    true,
  ]);
});

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const EMITS = `export default { name: 'Emits', version: '0.0.1', props: { http: '$.interface.http' },
  run({ body }) { this.$emit({ text: 'x'.repeat(body.size ?? 1) }, { name: body.name, summary: body.summary, id: body.id }); } };`;

test('summary, id and error come back as whole characters from the API', async () => {
  const source = await scene.source(EMITS);
  for (const [at, text] of texts(3_000).entries()) {
    await scene.send(source.endpoint, { summary: text, id: text });
    const [event] = await scene.eventsOf(source.id, at + 1);
    for (const shown of [event?.metadata.summary, event?.metadata.id])
      expect(isWellFormed(shown ?? '\ud83d')).toBe(true);
  }
});

test('a stream name has at most 128 characters, counted in one way, also where its events are large', async () => {
  const source = await scene.source(EMITS);
  const longest = FACE.repeat(128);
  for (const size of [1, 400_000])
    expect((await scene.send(source.endpoint, { name: longest, size })).status).toBe(200);
  await scene.eventsOf(source.id, 2, { event_name: longest });
  await scene.send(source.endpoint, { name: `${longest}x` });
  const [error] = await scene.errorsOf(source.id);
  expect(error?.event.error).toMatchObject({
    code: 'invalid_stream',
    message: expect.stringContaining('128 characters'),
  });
  const hook = await scene.webhook();
  await scene.subscribe(source.id, hook.id, longest);
  await scene.send(source.endpoint, { name: longest });
  await until('it was delivered', () => hook.receiver.received.length === 1);
});

test('the kept answer of an attempt ends with a whole character', async () => {
  const source = await scene.source(EMITS);
  const hook = await scene.webhook();
  await scene.subscribe(source.id, hook.id);
  hook.receiver.respond = () => ({ status: 500, body: `x${FACE.repeat(2_000)}` });
  await scene.send(source.endpoint, {});
  const response = await until('the attempt is kept', async () => {
    const { body } = await scene.api.get(`/webhooks/${hook.id}/deliveries`);
    const [delivery] = body.data;
    if (!delivery || delivery.attempts === 0) return false;
    const one = await scene.api.get(`/webhooks/${hook.id}/deliveries/${delivery.id}`);
    return one.body.data.attempt_log[0]?.answer as string | undefined;
  });
  expect(response).toBe(`x${FACE.repeat(255)}`);
});
