import {
  GetEventSourceMappingCommand,
  type LambdaClient,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';

/** Lambda takes some seconds for a change, and refuses another one meanwhile. */
const CHANGES_WITHIN_MS = 90_000;
const EVERY_MS = 1_000;

/**
 * Switches the feed of a function from its queue on or off: its event-source mapping. Resolves when Lambda has done it.
 */
export const createFeedSwitch =
  ({ lambda, pause, now }: { lambda: LambdaClient; pause(ms: number): Promise<unknown>; now(): number }) =>
  async (UUID: string, isOn: boolean): Promise<void> => {
    const wanted = isOn ? 'Enabled' : 'Disabled';
    const end = now() + CHANGES_WITHIN_MS;
    for (;;) {
      const { State } = await lambda.send(new GetEventSourceMappingCommand({ UUID }));
      if (State === wanted) return;
      if (now() > end) throw new Error(`The event-source mapping ${UUID} is still ${State}, not ${wanted}`);
      // Other states are changes under way.
      if (State === 'Enabled' || State === 'Disabled') {
        await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: isOn }));
        continue;
      }
      await pause(EVERY_MS);
    }
  };
