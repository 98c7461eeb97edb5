import { expect, test } from 'vitest';
import { VERSION } from '../../../../shared/domain/version.ts';
import { RecordingName } from '../../../programs/recorded/unpack.ts';

test('a recording may have the version of its release as its name, and no path', () => {
  expect(RecordingName.parse(VERSION)).toBe(VERSION);
  for (const name of ['../0.2.0', '.hidden', 'a/b', '']) expect(RecordingName.safeParse(name).success).toBe(false);
});
