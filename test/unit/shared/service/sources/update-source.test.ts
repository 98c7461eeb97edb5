import { expect, test } from 'vitest';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import type { Trigger } from '../../../../../shared/domain/run/message.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { updateSource, type UpdateSourceContext } from '../../../../../shared/service/sources/update-source.ts';

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

/** A source whose update never ends. Each read of it takes 5 s. */
function neverEnding(since: number) {
  const clock = { ms: 0 };
  const sent: Trigger[] = [];
  const services = {
    now: () => clock.ms,
    random: (bytes: number) => new Uint8Array(bytes),
    sources: {
      find() {
        clock.ms += 5_000;
        return Promise.resolve(busySource(since));
      },
    },
    sendTriggers(triggers: readonly Trigger[]) {
      sent.push(...triggers);
      return Promise.resolve();
    },
  } as unknown as UpdateSourceContext;
  const settings = { name: 'x', configuredProps: undefined, active: undefined, endpoint: undefined, tags: undefined };
  const update = updateSource(services, { id, userId, selectors: {}, settings, deadline: 28_000 });
  return { update, sent, clock };
}

test('an update that waited 20 s behind another is 409 source_busy', async () => {
  const { update, sent, clock } = neverEnding(0);
  await expect(update).rejects.toMatchObject({ kind: 'conflict', code: 'source_busy' });
  // The first read was before the wait.
  expect(clock.ms).toBe(5_000 + 20_000);
  expect(sent).toEqual([]);
});

test('an update that is stuck for a minute has its trigger sent again, once, under the same id', async () => {
  const { update, sent } = neverEnding(-61_000);
  await expect(update).rejects.toMatchObject({ code: 'source_busy' });
  expect(sent.map(({ id: triggerId, kind }) => [triggerId, kind])).toEqual([['lifecycle-dc_1-2', 'lifecycle']]);
});
