import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PatientOutput } from '../../../../functions/runner/output.ts';

/** A reader whose buffer is full until it drains. */
class Full extends EventEmitter {
  readonly written: string[] = [];
  readonly destroyed = false;
  write(text: string): boolean {
    this.written.push(text);
    return false;
  }
}

let reader: Full;
let calls: string[];
let output: PatientOutput;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  reader = new Full();
  calls = [];
  output = new PatientOutput(reader, {
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a writer is paused once while its reader is slower, and resumed when the reader drains', () => {
  output.write('a');
  output.write('b');
  expect([reader.written, calls]).toEqual([['a', 'b'], ['pause']]);
  reader.emit('drain');
  expect(calls).toEqual(['pause', 'resume']);
  reader.emit('drain');
  expect(calls).toEqual(['pause', 'resume']);
  expect(reader.eventNames()).toEqual([]);
});

test.each(['close', 'error'])('a writer is resumed when its reader is gone (%s)', (event) => {
  output.write('a');
  reader.emit(event);
  expect(calls).toEqual(['pause', 'resume']);
});

test('pauses add up, the current one included', () => {
  output.write('a');
  vi.advanceTimersByTime(300);
  expect(output.waitedMs).toBe(300);
  reader.emit('drain');
  vi.advanceTimersByTime(1_000);
  expect(output.waitedMs).toBe(300);
  output.write('b');
  vi.advanceTimersByTime(50);
  expect(output.waitedMs).toBe(350);
});

test('a pause that started before a job counts only from the start of the job', () => {
  output.write('the end of the job before');
  vi.advanceTimersByTime(10_000);
  output.restart();
  vi.advanceTimersByTime(5);
  expect(output.waitedMs).toBe(5);
  reader.emit('drain');
  expect(output.waitedMs).toBe(5);
});
