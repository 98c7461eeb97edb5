import { describe, expect, test } from 'vitest';
import { releases } from '../../../programs/recorded/release-recordings.ts';
import { refusedValues } from '../../../programs/recorded/schema-changes.ts';
import { presentObjects } from '../../../programs/recorded/stored-objects.ts';

/** docs/releases.md says how a release may change stored objects. */

/** Values that this release may write and the last one refuses, and what that costs after a rollback. */
const REFUSED_AFTER_ROLLBACK: Readonly<Record<string, string>> = {};

const last = releases.at(-1) ?? expect.fail('no release is recorded');
const [read, written] = [presentObjects('input'), presentObjects('output')];
const none = {};

describe.each(releases)('objects that release $version has stored', ({ objects }) => {
  test.each(Object.keys(objects))('are read: %s', (name) => {
    expect(refusedValues(read[name] ?? none, objects[name] ?? none, name)).toEqual([]);
  });
});

test(`after a rollback, ${last.version} reads the objects of this release, but for those in the list`, () => {
  const refused = Object.entries(last.objects).flatMap(([name, reader]) =>
    refusedValues(reader, written[name] ?? none, name),
  );
  expect(refused).toEqual(Object.keys(REFUSED_AFTER_ROLLBACK));
});

test(`no attribute that ${last.version} knows has another name`, () => {
  const gone = Object.entries(last.objects).flatMap(([name, { properties = {} }]) =>
    Object.keys(properties)
      .filter((attribute) => !(attribute in (read[name]?.properties ?? {})))
      .map((attribute) => `${name}.${attribute}`),
  );
  expect(gone).toEqual([]);
});
