import { connect, type Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { startService, stopService, TEST_KEY } from '../../support/service.ts';
import { emitter } from '../../support/components.ts';
import { quantile } from './closed-loop.ts';
import { processorMs, residentMb } from './process-measurements.ts';

const Created = z.object({ data: z.object({ id: z.string() }) });
const STORED = /"indexed_at_ms":(\d+)/g;
/** Connections that are measured: each is parsed by this process. */
const MEASURED = 20;

interface LiveOptions {
  listeners?: number;
  seconds?: number;
  eventsPerSecond?: number;
}

/** Listeners of one source: the memory of each, and the time from storing to receiving while events come. */
export async function live({ listeners = 1_000, seconds = 10, eventsPerSecond = 100 }: LiveOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-bench-live-'));
  const service = await startService({
    dataDir: join(folder, 'data'),
    program: 'test/programs/bench/start-with-limits.ts',
  });
  const base = `${service.origin}/v1`;
  const headers = { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' };
  const post = (path: string, body: unknown) =>
    fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const sockets: Socket[] = [];
  try {
    const made: unknown = await (await post('/sources', { component_code: emitter() })).json();
    const { id } = Created.parse(made).data;
    const emit = (count: number) =>
      post(`/sources/${id}/run`, { emits: Array.from({ length: count }, (_, n) => [{ n }]) });
    const delays: number[] = [];
    let received = 0;
    const listen = () => {
      const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
      // Its request line is all that this client keeps: 1,000 clients share the machine with the service.
      socket.write(`GET /v1/sources/${id}/sse HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_KEY}\r\n\r\n`);
      const isMeasured = sockets.length < MEASURED;
      socket.on('data', (chunk) => {
        if (!isMeasured) return;
        const now = Date.now();
        for (const [, stored] of chunk.toString('latin1').matchAll(STORED)) {
          received += 1;
          delays.push(now - Number(stored));
        }
      });
      sockets.push(socket);
    };
    const open = async () => {
      for (let n = 0; n < listeners; n += 1) {
        listen();
        if (n % 50 === 0) await delay(100);
      }
      await delay(5_000);
    };
    // The first connections load code and grow the young generation of the heap.
    await open();
    for (const socket of sockets.splice(0)) socket.destroy();
    await delay(20_000);
    const before = residentMb(service);
    await open();
    const kbEach = ((residentMb(service) - before) * 1_024) / listeners;
    const idle = processorMs(service);
    await delay(5_000);
    const idleCpu = (processorMs(service) - idle) / 5_000;
    const busy = processorMs(service);
    const end = Date.now() + seconds * 1_000;
    for (let next = Date.now(); Date.now() < end; next += 100) {
      void emit(eventsPerSecond / 10);
      await delay(Math.max(0, next + 100 - Date.now()));
    }
    const busyCpu = (processorMs(service) - busy) / (seconds * 1_000);
    await delay(2_000);
    const sorted = Float64Array.from(delays).sort();
    const [p50Ms, p95Ms, maxMs] = [0.5, 0.95, 1].map((share) => Math.round(quantile(sorted, share)));
    const expected = seconds * eventsPerSecond * MEASURED;
    return {
      listeners,
      eventsPerSecond,
      kbEach: Math.round(kbEach),
      p50Ms,
      p95Ms,
      maxMs,
      received: `${received} of ${expected}`,
      idleCpu: Number(idleCpu.toFixed(3)),
      busyCpu: Number(busyCpu.toFixed(2)),
    };
  } finally {
    for (const socket of sockets) socket.destroy();
    await stopService(service);
    rmSync(folder, { recursive: true, force: true });
  }
}
