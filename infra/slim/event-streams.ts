import type * as sdk from '@smithy/core/event-streams';

/**
 * Replaces event streams for all clients but Lambda's. The SDK imports them dynamically too, which would keep them, and
 * all modules below them, whole in every bundle.
 */
export let EventStreamSerde: typeof sdk.EventStreamSerde | undefined;
export let eventStreamSerdeProvider: typeof sdk.eventStreamSerdeProvider = () => {
  throw new Error("Event streams are left out of functions' bundles without the Lambda client (infra/slim)");
};
export const resolveEventStreamSerdeConfig = <C>(config: C): C => config;

/** Lets the SDK's dynamic import find the real ones. */
export function provide(real: Pick<typeof sdk, 'EventStreamSerde' | 'eventStreamSerdeProvider'>): void {
  ({ EventStreamSerde, eventStreamSerdeProvider } = real);
}
