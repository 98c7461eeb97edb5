import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Mirror } from '../support/mirror.ts';

/** Issue trackers' instant sources admit a sender by its address. */
const ADMITTING = `export default {
  name: 'Admits one address', version: '0.0.1', props: { http: '$.interface.http' },
  run(event) { if (event.client_ip === '203.0.113.9') this.$emit({ from: event.client_ip, at: event.url }); },
};`;

let mirror: Mirror;
beforeAll(async () => {
  mirror = await Mirror.open();
});
afterAll(() => mirror.close());

describe('client_ip and url', () => {
  test.each([
    ['127.0.0.1', undefined],
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9', '1.2.3.4, 203.0.113.9, 10.1.2.3'],
    ['203.0.113.9', '203.0.113.9:4711'],
    ['203.0.113.9', '::ffff:203.0.113.9'],
    ['2001:db8::1', '[2001:DB8::1]:443'],
    ['10.1.2.3', '203.0.113.9, unknown, 10.1.2.3'],
    ['127.0.0.1', 'nonsense'],
  ])('%s is the client of %s', async (expected, forwarded) => {
    const event = await mirror.seen(forwarded === undefined ? {} : { headers: { 'x-forwarded-for': forwarded } });
    expect(event.client_ip).toBe(expected);
  });

  test.each(['', '/', '/a%2Fb/c%20d?x=%20&y=+', '?x=1', '/%C3%BC|[1]'])(
    'url is the address of the endpoint and %j as sent',
    async (path) => {
      expect((await mirror.seen({}, path)).url).toBe(`${mirror.endpoint}${path}`);
    },
  );

  test('an instant source that admits its sender by client_ip gets its requests', async () => {
    const source = await mirror.scene.source(ADMITTING);
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    await fetch(source.endpoint, {
      method: 'POST',
      headers: { 'x-forwarded-for': '203.0.113.9, 198.51.100.1' },
    });
    await fetch(`${source.endpoint}/hook`, { method: 'POST', headers });
    const [event] = await mirror.scene.eventsOf(source.id, 1, { expand: 'event' });
    expect(event?.event).toEqual({ from: '203.0.113.9', at: `${source.endpoint}/hook` });
  });
});
