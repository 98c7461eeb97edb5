import * as z from 'zod';
import { isWellFormed, LONGEST, plainText } from '../../domain/text.ts';
import { route } from '../route.ts';
import { ComponentId } from '../../domain/id.ts';
import { ValuesByName } from '../parameters.ts';
import { ComponentResponse, OptionsResponse } from '../responses.ts';

/** Limited only by the size of the body. Null counts as absent, because responses contain null for a missing value. */
export const Code = z.string().refine(isWellFormed, 'must not contain half of a surrogate pair').nullish();
export const ComponentUrl = plainText(LONGEST.url).nullish();

const NewComponent = z
  .object({ component_code: Code, component_url: ComponentUrl })
  .refine(({ component_code: code, component_url: url }) => code != null || url != null, {
    path: ['component_code'],
    message: 'is required unless component_url is given',
  });

const Configure = z.object({
  prop_name: plainText(255).min(1, 'must not be empty'),
  configured_props: ValuesByName.nullish(),
  page: z.int('must be an integer').min(0, 'must be 0 or more').nullish(),
  prev_context: ValuesByName.nullish(),
  query: plainText(1_024).nullish(),
});

const ByKey = z.object({ key: z.string() });
const common = { group: 'components', envelope: 'single', data: ComponentResponse } as const;

export const components = {
  createComponent: route({
    ...common,
    method: 'POST',
    path: '/v1/components',
    summary: 'Saves a component from its code or the URL of its code.',
    parameters: z.object({}),
    input: NewComponent,
    errors: [409],
  }),
  getComponent: route({
    ...common,
    method: 'GET',
    path: '/v1/components/{key}',
    summary: 'A component by its id (sc_…), or your newest component with this key.',
    parameters: ByKey,
    input: z.object({}),
  }),
  configureComponent: route({
    ...common,
    method: 'POST',
    path: '/v1/components/{key}/configure',
    summary: 'The options of a prop, for the values of the other props.',
    parameters: z.object({ key: ComponentId }),
    input: Configure,
    data: OptionsResponse,
    errors: [503],
    isExtension: true,
  }),
  getRegistryComponent: route({
    ...common,
    method: 'GET',
    path: '/v1/components/registry/{key}',
    summary: 'The published component with this key.',
    parameters: ByKey,
    input: z.object({}),
  }),
};
