import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../../../../shared/domain/version.ts';
import {
  formsOf,
  kindOf,
  type Message,
  presentSchemas,
  problemOf,
  QueueNames,
  queues,
} from '../../../programs/recorded/queue-messages.ts';
import { releases, samplesAbout } from '../../../programs/recorded/release-recordings.ts';

/** docs/releases.md says how a release may change messages. */

/** Fields that a release renamed: `queue kind field`, and the field that holds the value now. */
const RENAMED: Readonly<Record<string, string>> = {};

/**
 * Messages of this release that the last one cannot read, and what that costs after a rollback. They become dead
 * letters, which the next upgrade can read again. The release note repeats this.
 */
const UNREADABLE_AFTER_ROLLBACK: Readonly<Record<string, string>> = {};

/** Fields of this release that can have values which the last one refuses. */
const WIDENED: Readonly<Record<string, string>> = {};

const schemas = presentSchemas();
const last = releases.at(-1) ?? expect.fail('no release is recorded');
const samples = samplesAbout(last.data);
const kinds = QueueNames.options.flatMap((queue) =>
  Object.entries(schemas[queue]).map(([kind, { properties }]) => ({
    queue,
    kind,
    fields: Object.keys(properties),
  })),
);

test('each release up to this version is recorded once', () => {
  expect(releases.map(({ version }) => version)).toEqual([...new Set(releases.map(({ version }) => version))]);
  expect(last.version.localeCompare(VERSION, 'en', { numeric: true })).toBeLessThanOrEqual(0);
});

describe.each(releases)('messages of release $version', ({ messages, schemas: recorded, data }) => {
  const fromSchedules = data.schedules.map(({ queue, input }) => ({
    queue,
    message: JSON.parse(input) as Message,
  }));

  test.each([...messages, ...data.waiting, ...fromSchedules])(
    'are read without loss of a field: $queue $message.kind',
    ({ queue, message }) => {
      const kind = kindOf(message);
      const fields = Object.entries(message).map(([name, value]) => [
        RENAMED[`${queue} ${kind} ${name}`] ?? name,
        value,
      ]);
      expect(queues[queue].parse(message)).toMatchObject(Object.fromEntries(fields));
    },
  );

  test('are recorded of every kind', () => {
    const found = messages.map(({ queue, message }) => `${queue} ${kindOf(message)}`);
    const known = QueueNames.options.flatMap((queue) => Object.keys(recorded[queue]).map((kind) => `${queue} ${kind}`));
    expect([...new Set(found)].toSorted()).toEqual(known.toSorted());
  });
});

describe(`messages of this release after a rollback to ${last.version}`, () => {
  test('can be read, but for those in the list', () => {
    const problems = QueueNames.options.flatMap((queue) =>
      samples[queue]
        .flatMap((sample) => formsOf(sample, schemas[queue]))
        .flatMap((message) => {
          const problem = problemOf(message, last.schemas[queue]);
          return problem === undefined ? [] : [`${queue} ${kindOf(message)}: ${problem}`];
        }),
    );
    expect([...new Set(problems)].toSorted()).toEqual(Object.keys(UNREADABLE_AFTER_ROLLBACK).toSorted());
  });

  test('have the values that it knows, but for those in the list', () => {
    const changed = QueueNames.options.flatMap((queue) =>
      Object.entries(last.schemas[queue]).flatMap(([kind, { properties }]) =>
        Object.entries(schemas[queue][kind]?.properties ?? {})
          .filter(([field, value]) => field in properties && !isDeepStrictEqual(value, properties[field]))
          .map(([field]) => `${queue} ${kind} ${field}`),
      ),
    );
    expect(changed.toSorted()).toEqual(Object.keys(WIDENED));
  });

  test('have every field that it knows', () => {
    const lost = QueueNames.options.flatMap((queue) =>
      Object.entries(last.schemas[queue]).flatMap(([kind, { properties }]) =>
        Object.keys(properties)
          .filter((field) => !(field in (schemas[queue][kind]?.properties ?? {})))
          .map((field) => `${queue} ${kind} ${field}`),
      ),
    );
    expect(lost).toEqual([]);
  });

  test.each(kinds)('are compared by a sample with every field: $queue $kind', ({ queue, kind, fields }) => {
    const found = samples[queue].filter((sample) => kindOf(sample) === kind);
    expect([...new Set(found.flatMap((sample) => Object.keys(sample)))].toSorted()).toEqual(fields.toSorted());
    for (const sample of found) expect(queues[queue].parse(sample)).toEqual(sample);
  });
});
