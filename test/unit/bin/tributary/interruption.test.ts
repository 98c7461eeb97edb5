import { beforeEach, expect, test } from 'vitest';
import { createInterruption } from '../../../../bin/tributary/interruption.ts';

const listeners = new Map<string, () => void>();
let now = 0;
let exits: number[];
let signal: AbortSignal;
beforeEach(() => {
  exits = [];
  signal = createInterruption({
    onSignal: (name, listener) => listeners.set(name, listener),
    now: () => now,
    exit: (code) => exits.push(code),
  });
});
const send = (name: string) => listeners.get(name)?.();

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('the first %s lets the command clean up', (name) => {
  send(name);
  expect({ aborted: signal.aborted, exits }).toEqual({ aborted: true, exits: [] });
});

test('a second Ctrl-C ends the process at once', () => {
  send('SIGINT');
  now += 1_000;
  send('SIGINT');
  expect(exits).toEqual([130]);
});

test('one Ctrl-C that arrives twice, from the terminal and from npm, is one', () => {
  send('SIGINT');
  now += 100;
  send('SIGINT');
  expect(exits).toEqual([]);
});
