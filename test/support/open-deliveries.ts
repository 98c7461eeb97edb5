import { onTestFinished } from 'vitest';
import type { Source } from '../../shared/domain/source/source.ts';
import type { Webhook } from '../../shared/domain/webhook/webhook.ts';
import { type DeliveryWorld, deliveryWorld } from './world/deliveries.ts';
import { Receiver } from './receiver.ts';
import { type World, openWorld } from './world/world.ts';

export interface Deliveries {
  readonly stage: World;
  readonly receiver: Receiver;
  readonly world: DeliveryWorld;
  /** Another process with both functions, on the same table. */
  openProcess(options?: Parameters<typeof deliveryWorld>[1]): DeliveryWorld;
  /** A source, and a webhook at the receiver that is subscribed to it. */
  subscribed(more?: Partial<Webhook>): Promise<{ source: Source; hook: Webhook }>;
}

/** A table with a user, a receiver, and both functions that deliver events. The end of the test closes them. */
export async function openDeliveries(): Promise<Deliveries> {
  const stage = await openWorld();
  await stage.user();
  const receiver = await Receiver.start();
  const worlds: DeliveryWorld[] = [];
  onTestFinished(async () => {
    await Promise.all(worlds.map(({ agent }) => agent.destroy()));
    await receiver.stop();
    await stage.close();
  });
  const openProcess: Deliveries['openProcess'] = (options) => {
    const world = deliveryWorld(stage, options);
    worlds.push(world);
    return world;
  };
  const world = openProcess();
  return {
    stage,
    receiver,
    world,
    openProcess,
    async subscribed(more = {}) {
      const [source, hook] = [await stage.source(), await world.webhook({ url: receiver.url, ...more })];
      await world.subscribe(source.id, hook.id);
      return { source, hook };
    },
  };
}
