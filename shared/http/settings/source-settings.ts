import * as z from 'zod';
import type { Requested } from '../../domain/requested.ts';
import { SOURCE_TEXTS } from '../../domain/setting-texts.ts';
import { EndpointForm } from '../../domain/source/endpoint-address.ts';
import type { SourceSettings } from '../../domain/source/source.ts';
import { Tags } from '../../domain/tags.ts';
import { Name } from '../../domain/text.ts';
import { ValuesByName } from '../parameters.ts';
import type { ParsedFields, WireFields } from './wire-fields.ts';

export const sourceFields = {
  name: Name.describe(SOURCE_TEXTS.name).optional(),
  configured_props: ValuesByName.describe(SOURCE_TEXTS.configured_props).optional(),
  active: z.boolean().describe(SOURCE_TEXTS.active).optional(),
  endpoint: EndpointForm.describe(SOURCE_TEXTS.endpoint).optional(),
  tags: Tags.describe(SOURCE_TEXTS.tags).nullish(),
} satisfies WireFields<SourceSettings, z.ZodType>;

/** Null clears tags. */
export const sourceSettingsOf = ({
  name,
  configured_props: configuredProps,
  active,
  endpoint,
  tags,
}: ParsedFields<typeof sourceFields>): Requested<SourceSettings> => ({
  name,
  configuredProps,
  active,
  endpoint,
  tags: tags === null ? [] : tags,
});
