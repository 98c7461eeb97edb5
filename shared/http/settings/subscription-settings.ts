import type * as z from 'zod';
import type { Requested } from '../../domain/requested.ts';
import type { SubscriptionSettings } from '../../domain/subscription/subscription.ts';
import { FilterParameter } from '../parameters.ts';
import type { ParsedFields, WireFields } from './wire-fields.ts';

export const subscriptionFields = { filter: FilterParameter } satisfies WireFields<SubscriptionSettings, z.ZodType>;

export const subscriptionSettingsOf = ({
  filter,
}: ParsedFields<typeof subscriptionFields>): Requested<SubscriptionSettings> => ({ filter });
