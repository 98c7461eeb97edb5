import * as z from 'zod';
import type { Requested } from '../../domain/requested.ts';
import { EndpointForm } from '../../domain/source/endpoint-address.ts';
import type { SourceSettings } from '../../domain/source/source.ts';
import { Name } from '../../domain/text.ts';
import { ValuesByName } from '../parameters.ts';
import type { ParsedFields, WireFields } from './wire-fields.ts';

/** The settings of a source in a request. */
export const sourceFields = {
  name: Name.describe("The name. Default: the slug of the component's name.").optional(),
  configured_props: ValuesByName.describe('The values of the props, by name.').optional(),
  active: z.boolean().describe('Whether the source runs.').optional(),
  endpoint: EndpointForm.describe(
    'The form of `endpoint_url`: `path` (default), or `origin`, a host of its own, if the service has a wildcard host.',
  ).optional(),
} satisfies WireFields<SourceSettings, z.ZodType>;

export const sourceSettingsOf = ({
  name,
  configured_props: configuredProps,
  active,
  endpoint,
}: ParsedFields<typeof sourceFields>): Requested<SourceSettings> => ({
  name,
  configuredProps,
  active,
  endpoint,
});
