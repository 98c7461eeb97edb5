import * as z from 'zod';
import { Component } from '../session/response-schemas.ts';
import type { CommandTree } from '../command-tree.ts';
import { componentNamed, componentOf } from '../input/component-selector.ts';
import { LIMIT, Limited } from './shared-options.ts';
import type { Column } from '../output/text-table.ts';

const columns: readonly Column<Component>[] = [
  { heading: 'ID', of: ({ id }) => id },
  { heading: 'KEY', of: ({ key }) => key },
  { heading: 'NAME', of: ({ name }) => name },
  { heading: 'VERSION', of: ({ version }) => version },
  { heading: 'UPDATED', drop: 1, at: ({ updated_at: at }) => at * 1_000 },
];
const details: readonly Column<Component>[] = [
  ...columns,
  {
    heading: 'PROPS',
    of: ({ configurable_props: props }) => props.map(({ name, type }) => `${name} (${type})`).join(', '),
  },
];

const Named = z.object({ component: z.string() });

/** `components create | list | get | code`. */
export function addComponentCommands({ group, leaf }: CommandTree): void {
  const components = group('components', 'Saved code of sources.');
  leaf(components, {
    usage: 'create <from>',
    about: 'Save a component from a file, an address, or a key of the registry.',
    input: z.object({ from: z.string() }),
    examples: [
      ['tributary components create new-orders.mjs', 'sends the file and the files that it imports'],
      ['tributary components create https://example.com/new-orders.mjs', 'lets the service fetch it'],
    ],
    run: async (session, { from }) => {
      session.output.object(await componentOf(await session.api(), session.terminal, from), details);
    },
  });
  leaf(components, {
    usage: 'list',
    about: 'List your components: the newest of each key.',
    options: [LIMIT],
    input: Limited,
    examples: [
      ['tributary components list', 'all of them'],
      ['tributary components list -q', 'their ids only'],
    ],
    run: async ({ api, output }, { limit }) => {
      output.list(await (await api()).list('/users/me/components', Component, { limit }), columns);
    },
  });
  leaf(components, {
    usage: 'get <component>',
    about: 'Show a component, by id, key or name.',
    input: Named,
    examples: [
      ['tributary components get new-orders', 'by its key'],
      ['tributary components get sc_1a2b3c --json', 'by its id, whole'],
    ],
    run: async (session, { component }) => {
      session.output.object(await componentNamed(await session.api(), component), details);
    },
  });
  leaf(components, {
    usage: 'code <component>',
    about: 'Print the code of a component.',
    input: Named,
    examples: [
      ['tributary components code new-orders', 'prints it'],
      ['tributary components code new-orders > new-orders.mjs', 'keeps it in a file'],
    ],
    run: async (session, { component }) => {
      const { id, code } = await componentNamed(await session.api(), component);
      if (session.output.json) session.output.result({ id, code }, '');
      else session.output.text(code);
    },
  });
}
