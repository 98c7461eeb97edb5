import { describe, expect, test } from 'vitest';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { requestedEvent } from '../../../../../shared/service/sources/requested-event.ts';

const BOTH: Partial<Source['traits']> = {
  httpProp: 'http',
  timerProp: 'timer',
  timer: { intervalSeconds: 60 },
};
const eventOf = (text: string | undefined, traits: Partial<Source['traits']> = BOTH) =>
  requestedEvent(
    {
      traits: { hasRun: true, hooks: [], customResponse: false, ...traits },
      endpointId: 'e'.repeat(32),
    },
    { text, ingressUrl: 'https://in.example', form: 'path', clientIp: '192.0.2.1', now: 5_000 },
  ).json;

describe('a requested run of a source with a timer and an HTTP interface gets', () => {
  test.each([
    '{"timestamp":1767323045}',
    '{"timestamp":1767323045,"interval_seconds":60}',
    '{"timestamp":1.5,"intervalSeconds":60,"cron":null,"timezone":"Europe/Rome"}',
  ])('the event of a tick: %s', (text) => {
    expect(eventOf(text)).toBe(text);
  });

  test.each(['{}', '{"timestamp":"1767323045"}', '{"timestamp":1,"other":2}', '{"cron":"0 6 * * *"}'])(
    'a request with this body: %s',
    (text) => {
      expect(JSON.parse(eventOf(text))).toMatchObject({ method: 'POST', path: '/', bodyRaw: text });
    },
  );

  test('the event of a tick without one, and the request of one with method and headers', () => {
    expect(JSON.parse(eventOf(undefined))).toEqual({ timestamp: 5, interval_seconds: 60 });
    const text = '{"method":"GET","headers":{},"timestamp":1}';
    expect(eventOf(text)).toBe(text);
  });
});

test('without a timer such an object is the body of a request', () => {
  const text = '{"timestamp":1767323045}';
  expect(JSON.parse(eventOf(text, { httpProp: 'http' }))).toMatchObject({ method: 'POST', bodyRaw: text });
});
