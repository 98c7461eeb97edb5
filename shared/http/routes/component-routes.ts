import * as z from 'zod';
import { ComponentPath, FilesInput } from '../../domain/component/sent-files.ts';
import {
  type ComponentPartsInput,
  type ComponentSelectors,
  filesProblem,
} from '../../service/components/select-component.ts';
import { isWellFormed, LONGEST, plainText } from '../../domain/text.ts';
import { component } from '../openapi/examples.ts';
import { route } from '../route.ts';
import { ComponentIdParameter, ComponentPageInput, ValuesByName } from '../parameters.ts';

/** Limited only by the size of the body. Null counts as absent, because responses contain null for a missing value. */
const Code = z
  .string()
  .refine(isWellFormed, 'must not contain half of a surrogate pair')
  .describe('The code of the component. Required without another selector.')
  .nullish();
const ComponentUrl = plainText(LONGEST.url)
  .describe('The http(s) address of the code; beside `component_code` it is only recorded.')
  .nullish();

/** The entry's path and the other files of `component_code`. */
const Path = ComponentPath.describe('The path of the file that `component_code` is. `.ts` is TypeScript.').nullish();
const Files = FilesInput.meta({
  description: 'The files that `component_code` imports relatively: path → text.',
  jsonSchema: { type: 'object', additionalProperties: { type: 'string' } },
}).nullish();

export const componentFields = {
  component_code: Code,
  component_path: Path,
  component_files: Files,
  component_url: ComponentUrl,
} satisfies Record<keyof ComponentPartsInput, z.ZodType>;

const NewComponent = z
  .object(componentFields)
  .superRefine(checkFiles)
  .refine(({ component_code: code, component_url: url }) => code != null || url != null, {
    path: ['component_code'],
    message: 'is required unless component_url is given',
  });

const Configure = z
  .object({
    id: ComponentIdParameter,
    prop_name: plainText(255)
      .min(1, 'must not be empty')
      .describe('The prop whose options are asked for. Required without `reload`.')
      .nullish(),
    reload: z.boolean().describe('Asks for all props instead, with those of `additionalProps`.').nullish(),
    configured_props: ValuesByName.describe('The values of the other props, by name.').nullish(),
    page: z
      .int('must be an integer')
      .min(0, 'must be 0 or more')
      .describe('The page of the options, from 0.')
      .nullish(),
    prev_context: ValuesByName.describe('The `context` of the page before.').nullish(),
    query: plainText(1_024).describe('A text to search the options for.').nullish(),
  })
  .refine(({ prop_name: prop, reload }) => prop != null || reload === true, {
    path: ['prop_name'],
    message: 'is required unless reload is true',
  })
  .refine(({ prop_name: prop, reload }) => prop == null || reload !== true, {
    path: ['prop_name'],
    message: 'must not be given together with reload: true',
  });

/** Problems of files and path are named after the parameter. */
export function checkFiles(selectors: ComponentSelectors, context: z.core.$RefinementCtx): void {
  const problem = filesProblem(selectors);
  if (problem) context.addIssue({ code: 'custom', message: problem.message, path: [problem.path] });
}

const Expansion = z.object({
  expand: z.enum(['files']).describe('`files`: the files that were sent with the code.').optional(),
});
const ByKey = z.object({ key: z.string().describe('The key of a component, or an id.') });
const common = { group: 'components', data: 'Component' } as const;

export const components = {
  createComponent: route('POST', '/v1/components', {
    ...common,
    summary: 'Saves a component from its code or the URL of its code.',
    input: NewComponent,
    example: { component_url: 'https://components.tributary.dev/greeting.mjs' },
    hasWarnings: true,
    errors: [409],
  }),
  listComponents: route('GET', '/v1/users/me/components', {
    group: 'components',
    summary:
      'Your components, newest first: the newest of each key, or of each name without a key; or the published ones.',
    input: ComponentPageInput,
    envelope: 'page',
    data: 'ComponentListItem',
    isExtension: true,
  }),
  getComponent: route('GET', '/v1/components/{key}', {
    ...common,
    summary: 'A component by its id (sc_…), or your newest component with this key.',
    parameters: ByKey,
    input: Expansion,
  }),
  configureComponent: route('POST', '/v1/components/configure', {
    ...common,
    summary: 'The options of a prop, or all props, for the values of the other props.',
    input: Configure,
    example: { id: component.id, prop_name: 'size', configured_props: { salutation: 'Ahoy' } },
    data: 'PropConfiguration',
    errors: [404],
    isExtension: true,
  }),
  getRegistryComponent: route('GET', '/v1/components/registry/{key}', {
    ...common,
    summary: 'The published component with this key.',
    parameters: ByKey,
    input: Expansion,
  }),
};
