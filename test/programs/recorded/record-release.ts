import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { VERSION } from '../../../shared/domain/version.ts';
import { noNames, programArguments } from '../../support/program-arguments.ts';
import { stackWithoutCode } from '../../support/stack.ts';
import { presentSchemas } from './queue-messages.ts';
import { readRecording } from './recorded-data.ts';
import { messagesOf, writeRelease } from './release-recordings.ts';
import { presentObjects } from './stored-objects.ts';
import { statefulResources } from './stateful-resources.ts';

/**
 * `npm run record-release`: records the messages, items, schedules and stateful resources of this version in
 * `test/programs/recorded/releases/VERSION.json`, for the tests of later releases. Items and schedules come from a data
 * directory that `npm run record-data` recorded before.
 */

const {
  values: { data: name },
} = programArguments({
  usage: 'npm run record-release -- [--data NAME]',
  does: `Records what release ${VERSION} leaves for later ones in test/programs/recorded/releases/${VERSION}.json.`,
  names: noNames,
  options: {
    data: z.string().default(VERSION).describe(`name of the recorded data directory, ${VERSION} by default`),
  },
});

if (!existsSync(join(import.meta.dirname, `${name}.tar.gz`))) {
  process.stderr.write(`There is no recording ${name}: run npm run record-data -- ${name} first.\n`);
  process.exit(1);
}
const data = await readRecording(name);
const schemas = presentSchemas();
writeRelease(VERSION, {
  schemas,
  messages: messagesOf(schemas, data),
  objects: presentObjects(),
  resources: statefulResources(stackWithoutCode().template),
  data,
});
