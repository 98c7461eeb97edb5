import * as z from 'zod';
import { isWellFormed, LONGEST, plainText } from '../../domain/text.ts';
import { route } from '../route.ts';
import { ComponentShape } from '../shapes.ts';

/** Kept whole up to the body limit, so bounded by that alone. Null counts as absent: answers show it. */
export const Code = z.string().refine(isWellFormed, 'must not contain half of a surrogate pair').nullish();
export const ComponentUrl = plainText(LONGEST.url).nullish();

const NewComponent = z
  .object({ component_code: Code, component_url: ComponentUrl })
  .refine(({ component_code: code, component_url: url }) => code != null || url != null, {
    path: ['component_code'],
    message: 'or component_url is required',
  });

const ByKey = z.object({ key: z.string() });
const common = { group: 'components', envelope: 'single', data: ComponentShape } as const;

export const components = {
  createComponent: route({
    ...common,
    method: 'POST',
    path: '/v1/components',
    summary: 'Saves a component, given as code or by the address of its code.',
    parameters: z.object({}),
    input: NewComponent,
  }),
  getComponent: route({
    ...common,
    method: 'GET',
    path: '/v1/components/{key}',
    summary: 'A component by its id (sc_…), or your newest one with this key.',
    parameters: ByKey,
    input: z.object({}),
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
