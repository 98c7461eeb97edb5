import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { emitter } from '../../support/components.ts';
import { describeConsole } from '../../support/console-browser.ts';
import { until } from '../../support/until.ts';

describeConsole('a live stream', (console) => {
  const sourceWithToken = async () => {
    const { body } = await console.api.post('/sources', { component_code: emitter() });
    const id: string = body.data.id;
    const { body: token } = await console.api.post(`/sources/${id}/sse_tokens`, {});
    return { id, url: String(token.data.url) };
  };
  const emit = (id: string, n: number) => console.api.post(`/sources/${id}/run`, { emits: [[{ n }]] });

  test('is followed by a browser on a page of another origin, with a token', async () => {
    const { id, url } = await sourceWithToken();
    const site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<title>A page</title>');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void site.close());
    const page = await console.open('/console', { isSignedOut: true });
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.evaluate(`window.seen = []; window.starts = 0;
      window.events = new EventSource(${JSON.stringify(url)});
      events.onmessage = ({ data }) => seen.push(JSON.parse(data).event.n);
      events.addEventListener('start', () => (starts += 1));`);
    const shown = (expression: string) => page.evaluate(expression);
    await until('it is open', async () => (await shown('starts')) === 1);
    await emit(id, 1);
    await until('the event comes', async () => (await shown('seen.length')) === 1);
    await page.evaluate('events.close()');
  });

  test('is followed by curl', async () => {
    const { id, url } = await sourceWithToken();
    const curl = spawn('curl', ['-sN', url]);
    onTestFinished(() => void curl.kill());
    let text = '';
    curl.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await until('it has started', () => text.includes('event: start'));
    await emit(id, 1);
    await until('the event comes', () => /"event":\{"n":1\}.*\n\n$/.test(text));
    expect(text).toMatch(/^event: start\nid: 0-0\ndata: \{\}\n\nid: \d+-\d+\ndata: \{.*\}\n\n$/);
  });
});
