import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { lineValue } from '../../../../shared/domain/run/line-text.ts';
import { RunnerLine } from '../../../../shared/domain/run/run.ts';
import { directProcesses } from '../../../../shared/runtime/processes.ts';
import { loadFunction } from '../../../support/load-function.ts';
import { until } from '../../../support/until.ts';
import { Collector, copyPrograms, run, Runner, source } from './harness.ts';

let runner: Runner;
let loaded: ReturnType<typeof loadFunction>;
const directory = mkdtempSync(join(tmpdir(), 'handler-'));
const handler = async (event: unknown, response: Writable): Promise<void> => {
  await loaded.handler(event, response, {});
};

beforeAll(async () => {
  runner = await Runner.start();
  await copyPrograms(directory);
  const environment = {
    RUNNER_WARM: '16',
    RUNNER_HOSTS: '{}',
    ALLOW_PRIVATE_NETWORK: '1',
    NETWORK_ALLOW_LIST: '',
  };
  loaded = loadFunction(directory, { environment, processes: directProcesses() });
});
afterAll(async () => {
  await runner.close();
  loaded.dispose();
  rmSync(directory, { recursive: true, force: true });
});

/** A slow caller, which reads a few bytes at a time. */
function slowResponse(delayMs = 0) {
  const chunks: string[] = [];
  const stream = new Writable({
    highWaterMark: 16,
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      chunks.push(String(chunk));
      setTimeout(done, delayMs);
    },
  });
  return { stream, chunks, lines: () => linesIn(chunks.join('')) };
}

const linesIn = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => RunnerLine.parse(lineValue(line)));

describe('the runner function', () => {
  test.each([
    { release: 'this release', more: { readsUnquotedJson: true }, json: '\t{"text":"a\\tb"}\n' },
    { release: 'an earlier release', more: {}, json: String.raw`"{\"text\":\"a\\tb\"}"` },
  ])('writes events in the form that a caller of $release reads', async ({ more, json }) => {
    const response = slowResponse();
    const code = source(`run() { this.$emit({ text: 'a\\tb' }); }`);
    await handler({ ...runner.request(code), ...more }, response.stream);

    expect(response.chunks.join('')).toContain(json);
    expect(response.lines()[0]).toMatchObject({ k: 'emit', json: '{"text":"a\\tb"}' });
  });

  test.each([
    { release: 'this release', more: { readsUnquotedJson: true, checksLongEvents: true } },
    { release: 'an earlier release', more: { readsUnquotedJson: true } },
    { release: 'the first release', more: {} },
  ])('writes long events whole for a caller of $release, between others', async ({ more }) => {
    const response = slowResponse();
    const texts = ['a', 'ü€😀\t\n'.repeat(40_000), 'b', 'x'.repeat(70_000), 'x'.repeat(1_000_000)];
    const code = source(`run(event) { for (const text of event.texts) this.$emit({ text }); }`);
    const request = { ...runner.request(code, { jobs: [run({ texts })] }), ...more };
    await handler(request, response.stream);
    await finished(response.stream);

    const events = response.lines().flatMap((line) => (line.k === 'emit' ? [JSON.parse(line.json)] : []));
    expect(events).toEqual(texts.map((text) => ({ text })));
    expect(response.lines().at(-1)).toMatchObject({ k: 'end' });
  });

  test('checks long events for a caller of an earlier release alone', async () => {
    const code = source(
      `run() { fs.writeSync(4, '{"k":"emit","job":"' + id + '","meta":{}}\t' + '{'.repeat(100_000) + '\\n'); }`,
      `import fs from 'node:fs'; const id = 'wrong';`,
    );
    const linesFor = async (more: object) => {
      const response = slowResponse();
      const request = runner.request(code, { jobs: [{ kind: 'run', id: 'wrong', event: '{}' }] });
      await handler({ ...request, readsUnquotedJson: true, ...more }, response.stream);
      await finished(response.stream);
      return response.lines().map(({ k }) => k);
    };
    expect(await linesFor({})).toEqual(['end']);
    expect(await linesFor({ checksLongEvents: true })).toEqual(['emit', 'end']);
  });

  test('streams each line as it is written', async () => {
    const response = slowResponse();
    // The run continues after its first line was read.
    const gate = createServer((_, gateResponse) => {
      void until('the first line', () => response.chunks.length > 0).then(() => gateResponse.end());
    });
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void gate.close());
    const { port } = gate.address() as AddressInfo;
    const code = source(
      `async run() { this.$emit('first'); await fetch('http://127.0.0.1:${port}'); this.$emit('second'); }`,
    );
    await handler(runner.request(code), response.stream);

    expect(response.lines().map(({ k }) => k)).toEqual(['emit', 'emit', 'end']);
    expect(response.stream.writableFinished || response.stream.writableEnded).toBe(true);
  });

  test('slows a component that emits faster than its caller reads, and does not count that time', async () => {
    // 60 lines take twice the time of the run.
    const response = slowResponse(100);
    const code = source(`run() { for (let i = 0; i < 60; i++) this.$emit('x'.repeat(100_000)); }`);
    await handler(runner.request(code, { limits: { timeoutMs: 3_000 } }), response.stream);
    await finished(response.stream);

    expect(response.lines().filter(({ k }) => k === 'emit')).toHaveLength(60);
    expect(response.lines().at(-1)).toMatchObject({ k: 'end' });
    expect(response.lines().at(-1)).not.toHaveProperty('error');
  });

  test('finishes the run of a caller that is gone', async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error('gone')) });
    const code = source(`run() { this.$emit(1); this.$emit(2); }`);

    await handler(runner.request(code, { jobs: [run(1), run(2)] }), stream);
  });

  test('finishes the run of a caller that was gone before it started', async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    const code = source(`run() { this.$emit(1); }`);

    await handler(runner.request(code, { jobs: [run(1), run(2)] }), stream);
  });

  test('refuses an invalid request', async () => {
    await expect(handler({ jobs: [] }, slowResponse().stream)).rejects.toThrow();
  });
});

test('a host that is closed during a run writes no end line, so that the trigger comes back', async () => {
  const closing = await Runner.start();
  const code = source('async run() { this.$emit(1); await new Promise(() => {}); }');
  const lines: RunnerLine[] = [];
  await new Promise<void>((resolve, reject) => {
    const collector = new Collector((line) => {
      lines.push(line);
      closing.close().catch(reject);
    });
    closing.host.run(closing.request(code), collector).then(
      () => reject(new Error('It ended')),
      () => resolve(),
    );
  });

  expect(lines.map(({ k }) => k)).toEqual(['emit']);
});
