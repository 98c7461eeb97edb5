import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { LiveOutput } from '../../../../../shared/service/live/live-output.ts';

/** A client that reads when it is told to. */
class Client extends Writable {
  readonly read: string[] = [];
  readonly #waiting: (() => void)[] = [];

  constructor() {
    super({ highWaterMark: 1 });
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.read.push(chunk.toString());
    this.#waiting.push(done);
  }

  readOn(): void {
    for (const done of this.#waiting.splice(0)) done();
  }
}

const KB = 1024;
const message = Buffer.alloc(100 * KB, 'x');

test('a client that leaves 1 MB unread is cut off', async () => {
  const client = new Client();
  const output = new LiveOutput(client);
  for (let n = 0; n < 10; n += 1) output.send(message);
  expect(output.isOpen).toBe(true);
  output.send(message);
  await output.closed;
  expect(output.isOpen).toBe(false);
  // Nothing is sent to a client that is gone.
  output.send(message);
  await output.sendPaced(message);
});

test('a client that reads is never cut off', () => {
  const client = new Client();
  const output = new LiveOutput(client);
  for (let n = 0; n < 100; n += 1) {
    output.send(message);
    client.readOn();
  }
  expect(output.isOpen).toBe(true);
});

test('a replay of any size waits for its client', async () => {
  const client = new Client();
  const output = new LiveOutput(client);
  let sent = 0;
  const replay = (async () => {
    for (let n = 0; n < 30; n += 1) {
      await output.sendPaced(message);
      sent += 1;
    }
  })();
  while (sent < 30) {
    expect(sent - client.read.length).toBeLessThan(4);
    client.readOn();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await replay;
  expect(output.isOpen).toBe(true);
});

test('a replay to a client that goes away ends', async () => {
  const client = new Client();
  const output = new LiveOutput(client);
  const replay = (async () => {
    while (output.isOpen) await output.sendPaced(message);
  })();
  await new Promise((resolve) => setImmediate(resolve));
  client.destroy();
  await replay;
});
