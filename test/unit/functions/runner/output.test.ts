import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PatientOutput } from '../../../../functions/runner/output.ts';

/** A reader that takes nothing more until it is told to. */
class Full extends EventEmitter {
  readonly written: string[] = [];
  readonly destroyed = false;
  write(text: string): boolean {
    this.written.push(text);
    return false;
  }
}

let reader: Full;
let said: string[];
let output: PatientOutput;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  reader = new Full();
  said = [];
  output = new PatientOutput(reader, { pause: () => said.push('pause'), resume: () => said.push('resume') });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a writer waits while nobody takes its lines, once, and goes on when they are taken', () => {
  output.write('a');
  output.write('b');
  expect([reader.written, said]).toEqual([['a', 'b'], ['pause']]);
  reader.emit('drain');
  expect(said).toEqual(['pause', 'resume']);
  reader.emit('drain');
  expect(said).toEqual(['pause', 'resume']);
  expect(reader.eventNames()).toEqual([]);
});

test.each(['close', 'error'])('a reader that is gone (%s) takes everything', (event) => {
  output.write('a');
  reader.emit(event);
  expect(said).toEqual(['pause', 'resume']);
});

test('what was waited is added up, also while it is going on', () => {
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

test('of a wait that began before a job, only what falls into the job counts for it', () => {
  output.write('the end of the job before');
  vi.advanceTimersByTime(10_000);
  output.countAnew();
  vi.advanceTimersByTime(5);
  expect(output.waitedMs).toBe(5);
  reader.emit('drain');
  expect(output.waitedMs).toBe(5);
});
