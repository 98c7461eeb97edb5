import { expect, test } from 'vitest';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import type { Trigger } from '../../../../../shared/domain/run/message.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import {
  updateSource,
  type UpdateSourceContext,
} from '../../../../../shared/service/sources/update-source.ts';

const id = SourceId.parse('dc_1');
const userId = UserId.parse('u_1');
const configuration = {
  componentId: 'sc_1',
  bundleHash: 'b',
  configuredProps: {},
  name: 'n',
  nameSlug: 'n',
  active: true,
};
const traits = { hasRun: true, hooks: [], customResponse: false };
const busySource = (since: number) =>
  ({
    id,
    ownerId: userId,
    state: 'active',
    generation: 1,
    configuration,
    traits,
    pending: { revision: 2, since, triggerId: 'lifecycle-dc_1-2', configuration, traits, hooks: [] },
    createdAt: 0,
    updatedAt: 0,
  }) as unknown as Source;

/** A source whose update never ends, on a clock that runs a thousand times as fast. */
function neverEnding(since: number) {
  const started = Date.now();
  const now = () => (Date.now() - started) * 1_000;
  const sent: Trigger[] = [];
  const services = {
    now,
    random: (bytes: number) => new Uint8Array(bytes),
    sources: { find: () => Promise.resolve(busySource(since)) },
    sendTriggers(triggers: readonly Trigger[]) {
      sent.push(...triggers);
      return Promise.resolve();
    },
  } as unknown as UpdateSourceContext;
  const settings = { name: 'x', configuredProps: undefined, active: undefined };
  const update = updateSource(services, { id, userId, selectors: {}, settings, deadline: 28_000 });
  return { update, sent };
}

test('an update that waited 20 s behind another is 409 source_busy', async () => {
  const { update, sent } = neverEnding(0);
  await expect(update).rejects.toMatchObject({ kind: 'conflict', code: 'source_busy' });
  expect(sent).toEqual([]);
});

test('an update that is stuck for a minute has its trigger sent again, once, under the same id', async () => {
  const { update, sent } = neverEnding(-61_000);
  await expect(update).rejects.toMatchObject({ code: 'source_busy' });
  expect(sent.map(({ id: triggerId, kind }) => [triggerId, kind])).toEqual([
    ['lifecycle-dc_1-2', 'lifecycle'],
  ]);
});
