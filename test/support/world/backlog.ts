import type { DrainMessage, Trigger } from '../../../shared/domain/run/message.ts';
import type { GroupResult, Received } from '../../../shared/domain/run/received-trigger.ts';
import type { Source } from '../../../shared/domain/source/source.ts';
import { createRuns, type RunsOptions } from '../../../shared/service/runs/runs.ts';
import { type World, openWorld } from './world.ts';

interface Message extends Received {
  /** Hidden until then, epoch ms. */
  visibleAt: number;
}

type GroupName = 'source' | 'backlog';

interface StepOptions {
  services?: RunsOptions;
  limit?: number;
  /** Whether the process died meanwhile: no message is deleted, and all come again after their visibility timeout. */
  died?: () => boolean;
}

const VISIBILITY_MS = 330_000;
/** As SQS: a message with the same id is dropped within this time. */
const DEDUPLICATED_MS = 300_000;
const BATCH = 10;

/**
 * One source with its two message groups, as the queue gives them to run-source: the first messages of a group, until
 * they are deleted.
 */
export async function backlogWorld(options: Parameters<typeof openWorld>[0] = {}) {
  const stage: World = await openWorld(options);
  await stage.user();
  const groups: Record<GroupName, Message[]> = { source: [], backlog: [] };
  const sentIds = new Map<string, number>();
  let sequence = 0n;
  let queue = 'arn:runs';

  function send(trigger: Trigger | DrainMessage): void {
    const now = stage.clock.now();
    if (now - (sentIds.get(trigger.id) ?? -Infinity) < DEDUPLICATED_MS) return;
    sentIds.set(trigger.id, now);
    const name = trigger.kind === 'drain' && trigger.backlog !== undefined ? 'backlog' : 'source';
    groups[name].push({
      trigger,
      sequence: String((sequence += 256n)).padStart(20, '0'),
      sentAt: now,
      firstReceivedAt: 0,
      receiveCount: 0,
      visibleAt: now,
    });
  }

  stage.services.sendDrain = async (message) => send(message);

  /** Gives the first messages of a group to run-source. Undefined when there are none, or when they are hidden. */
  async function step(
    name: GroupName,
    { services = stage.services, limit = BATCH, died }: StepOptions = {},
  ): Promise<GroupResult | undefined> {
    const messages = groups[name];
    const now = stage.clock.now();
    const [head] = messages;
    if (!head || head.visibleAt > now) return undefined;
    const batch = messages.slice(0, limit);
    for (const message of batch) {
      message.receiveCount += 1;
      message.firstReceivedAt ||= now;
    }
    const result = await createRuns(services)({
      batch: 'batch',
      emitterId: head.trigger.emitterId,
      queue,
      received: batch.map((message) => ({ ...message })),
      mayStart: () => true,
      startBefore: now + 200_000,
    });
    if (died?.() === true) {
      for (const message of batch) message.visibleAt = stage.clock.now() + VISIBILITY_MS;
      return undefined;
    }
    messages.splice(0, result.completed);
    const failed = messages[0];
    if (failed && failed === batch[result.completed])
      failed.visibleAt = stage.clock.now() + (result.pauseSeconds ?? (result.error ? 2 : 0)) * 1_000;
    return result;
  }

  /** Executes both groups until nothing is left; time passes while messages are hidden. */
  async function settle({ maxSteps = 500, idleMs = 1_000 } = {}): Promise<void> {
    for (let steps = 0; groups.source.length + groups.backlog.length > 0; steps += 1) {
      if (steps > maxSteps) throw new Error('The groups do not become empty');
      const worked = [await step('source'), await step('backlog')].some((result) => result !== undefined);
      if (!worked) stage.clock.advance(idleMs);
    }
  }

  return {
    ...stage,
    groups,
    send,
    step,
    settle,
    /** Changes the source, as a PUT does, and sends the message of its revision. */
    async update({ id }: Pick<Source, 'id'>, revision: number, active = true): Promise<void> {
      const read = await stage.sources.find(id);
      if (!read) throw new Error('The source is gone');
      const triggerId = `life-${id}-${revision}`;
      const changed = await stage.sources.change(read, {
        configuration: read.configuration,
        pending: {
          revision,
          since: stage.clock.now(),
          triggerId,
          configuration: { ...read.configuration, active, bundleHash: String(revision).repeat(64) },
          traits: read.traits,
          hooks: active ? ['activate'] : ['deactivate'],
        },
        updatedAt: read.updatedAt + 1,
      });
      if (!changed) throw new Error('An earlier update is pending');
      send({
        kind: 'lifecycle',
        id: triggerId,
        emitterId: id,
        ownerId: stage.ownerId,
        at: stage.clock.now(),
        revision,
      });
    },

    /** Goes on with another queue, whose numbers begin anew, as after a restoration of the table. */
    loseQueue(): void {
      queue = 'arn:other-runs';
      sequence = 0n;
      for (const messages of Object.values(groups)) messages.length = 0;
    },

    backlogOf: async ({ id }: Pick<Source, 'id'>) => (await stage.services.emitters.load(id)).backlog,
    /** The numbers that the source emitted, oldest first. */
    async emitted({ id }: Pick<Source, 'id'>, stream = 'default'): Promise<number[]> {
      const events = await stage.services.events.latest(id, stream);
      return events.map(({ json }) => (JSON.parse(json) as { n: number }).n).reverse();
    },
  };
}

export type BacklogWorld = Awaited<ReturnType<typeof backlogWorld>>;
