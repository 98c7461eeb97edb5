import type { Input, RequiredPermission } from '../call.ts';
import type { EventBridgeContext } from './context.ts';
import { busOf, entriesOf } from './put-events-input.ts';

/** `events:PutEvents` on each bus that the input names. */
export const putPermissions = (input: Input, { region, account }: EventBridgeContext): readonly RequiredPermission[] =>
  [...new Set(entriesOf(input).map(busOf))].map((name) => ({
    action: 'events:PutEvents',
    resource: `arn:aws:events:${region}:${account}:event-bus/${name}`,
  }));
