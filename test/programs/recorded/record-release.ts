import * as z from 'zod';
import { VERSION } from '../../../shared/domain/version.ts';
import { noNames, programArguments } from '../../support/program-arguments.ts';
import { stackWithoutCode } from '../../support/stack.ts';
import { presentSchemas } from './queue-messages.ts';
import { readRecording } from './recorded-data.ts';
import { messagesOf, writeRelease } from './release-recordings.ts';
import { statefulResources } from './stateful-resources.ts';

/**
 * `npm run record-release`: records the messages, items, schedules and stateful resources of this version in
 * `test/programs/recorded/releases/VERSION.json`, for the tests of later releases. Items and schedules come from a data directory that
 * `npm run record-data` recorded before.
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

const data = await readRecording(name);
const schemas = presentSchemas();
writeRelease(VERSION, {
  schemas,
  messages: messagesOf(schemas, data),
  resources: statefulResources(stackWithoutCode().template),
  data,
});
