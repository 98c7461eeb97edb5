import type { RetryMessage } from '../../shared/domain/run/message.ts';
import type { DeliveryWorld } from './world/deliveries.ts';
import type { World } from './world/world.ts';

/** Hands the messages of a world over at their times, one after the other, and moves the clock on to them. */
export function retryPlayer({ clock }: Pick<World, 'clock'>, world: DeliveryWorld) {
  const queued: { at: number; message: RetryMessage }[] = [];

  function take(): void {
    for (const { message, delaySeconds } of world.retries.splice(0))
      queued.push({ at: clock.now() + delaySeconds * 1_000, message });
    for (const [name, scheduled] of world.schedules) {
      world.schedules.delete(name);
      queued.push(scheduled);
    }
  }

  return {
    /** Handles all messages that are due within this time, also those that they send. Then that time has passed. */
    async play(ms: number, handle = world.retry): Promise<void> {
      const end = clock.now() + ms;
      for (;;) {
        take();
        const [next] = queued.toSorted((a, b) => a.at - b.at);
        if (!next || next.at > end) break;
        queued.splice(queued.indexOf(next), 1);
        clock.advance(Math.max(next.at - clock.now(), 0));
        await handle(next.message);
      }
      clock.advance(end - clock.now());
    },

    /** The messages that wait, of one kind. */
    waiting(kind: RetryMessage['kind']): RetryMessage[] {
      take();
      return queued.map(({ message }) => message).filter((message) => message.kind === kind);
    },
  };
}
