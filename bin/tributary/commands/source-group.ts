import type { Command } from 'commander';
import * as z from 'zod';
import { SOURCE_TEXTS } from '../../../shared/domain/setting-texts.ts';
import { EndpointForm } from '../../../shared/domain/source/endpoint-address.ts';
import type { SourceSettings } from '../../../shared/domain/source/source.ts';
import type { WireFields } from '../../../shared/http/settings/wire-fields.ts';
import { ComponentWithCode, endpointOf, Source, Subscription } from '../session/response-schemas.ts';
import { type CommandTree, type OptionLine } from '../command-tree.ts';
import { addBulkCommands } from '../bulk/bulk-commands.ts';
import type { BulkKind } from '../bulk/bulk-kind.ts';
import { componentOf } from '../input/component-selector.ts';
import { emitterOf } from '../input/app-address.ts';
import { confirmDelete } from '../input/confirm.ts';
import { sinceOption } from '../input/time-option.ts';
import { sourceNamed } from '../input/resolve-name.ts';
import { runCommand } from './run-command.ts';
import type { Session } from '../session/command-session.ts';
import {
  Confirmed,
  LIMIT,
  Limited,
  PROP_OPTIONS,
  PropInput,
  settingOption,
  tagsOf,
  TagText,
  UNTAG,
  WITH_TAG,
  YES,
} from './shared-options.ts';
import { shellWord } from '../output/shell-word.ts';
import { sourceColumns, sourceDetails } from '../output/source-columns.ts';
import { configuredProps } from '../input/source-props.ts';

/** Commands switch a source; its props have options of their own. */
const OPTIONS = {
  name: settingOption('--name <name>', SOURCE_TEXTS.name),
  endpoint: settingOption('--endpoint <form>', SOURCE_TEXTS.endpoint),
  tags: settingOption('--tag <tag...>', SOURCE_TEXTS.tags),
} satisfies Omit<WireFields<SourceSettings, OptionLine>, 'active' | 'configured_props'>;

const Named = z.object({ source: z.string() });
const CreateInput = PropInput.extend({
  from: z.string(),
  name: z.string().optional(),
  endpoint: EndpointForm.optional(),
  tag: z.array(z.string()).optional(),
  listenTo: z.string().optional(),
  disabled: z.boolean().default(false),
});
const UpdateInput = PropInput.extend({
  source: z.string(),
  from: z.string().optional(),
  name: z.string().optional(),
  unset: z.array(z.string()).optional(),
  endpoint: EndpointForm.optional(),
  tag: z.array(z.string()).optional(),
  untag: z.boolean().optional(),
});

const pathOf = (id: string) => `/sources/${encodeURIComponent(id)}`;

/** `sources create | list | get | update | enable | disable | reset-dedupe | delete | drop-waiting | run | code`. */
export function addSourceCommands(tree: CommandTree): void {
  const sources = tree.group('sources', 'Running components, which emit events.');
  addSettingCommands(tree, sources);
  addStateCommands(tree, sources);
  runCommand(tree, sources);
  addCodeCommand(tree, sources);
}

function addSettingCommands({ leaf }: CommandTree, sources: Command): void {
  leaf(sources, {
    usage: 'create <from>',
    about: 'Create a source from a file, an address, a component id or a component key.',
    options: [
      ...Object.values(OPTIONS),
      ...PROP_OPTIONS,
      ['--listen-to <source>', 'source whose events it gets, such as the one that has the address of an app'],
      ['--disabled', 'switch it off after its hooks have run'],
    ],
    input: CreateInput,
    examples: [
      ['tributary sources create new-orders.mjs --name orders', 'from a file; asks for missing props'],
      ['tributary sources create rss --prop url=https://example.com/feed --prop timer=900', 'from a key, with props'],
    ],
    run: create,
  });
  leaf(sources, {
    usage: 'list',
    about: 'List your sources, newest first.',
    options: [
      WITH_TAG,
      ['--failed-since <time>', 'only those with an error since then, such as 24h, or whose hook failed'],
      LIMIT,
    ],
    input: Limited.extend({ tag: TagText, failedSince: z.string().optional() }),
    examples: [
      ['tributary sources list --failed-since 24h', 'those with errors of the last day'],
      ['tributary sources list --json | jq -r .[].endpoint_url', 'their endpoints'],
    ],
    run: async ({ api, output }, { tag, failedSince, limit }) => {
      const query = { tag, failed_since: failedSince && sinceOption('--failed-since', failedSince, Date.now()) };
      const sources = await (await api()).list('/users/me/sources', Source, { query, limit });
      output.list(sources, sourceColumns);
    },
  });
  leaf(sources, {
    usage: 'get <source>',
    about: 'Show a source, by id, slug or name.',
    input: Named,
    examples: [
      ['tributary sources get orders', 'by its slug'],
      ['tributary sources get orders --json', 'whole, secret props included'],
    ],
    run: async (session, { source }) => {
      await show(session, await read(session, source));
    },
  });
  leaf(sources, {
    usage: 'update <source> [from]',
    about: 'Change the code, the name or the props of a source.',
    options: [...Object.values(OPTIONS), ...PROP_OPTIONS, ['--unset <name...>', 'prop to unset'], UNTAG],
    input: UpdateInput,
    examples: [
      ['tributary sources update orders new-orders.mjs', 'replaces its code; events and state stay'],
      ['tributary sources update orders --prop limit=50 --unset tag', 'changes its props'],
    ],
    run: update,
  });
}

const BULK: BulkKind<Source> = {
  noun: 'source',
  list: '/users/me/sources',
  pathOf,
  schema: Source,
  named: sourceNamed,
  labelOf: ({ name_slug: slug }) => slug,
  columns: sourceColumns,
  show,
  words: {
    enable: {
      about: 'Switch sources on.',
      examples: [
        ['tributary sources enable orders', 'its timer and endpoint work again'],
        ['tributary sources enable --tag nightly', 'all with a tag'],
      ],
    },
    disable: {
      about: 'Switch sources off.',
      examples: [
        ['tributary sources disable orders refunds', 'their endpoints answer 404, their timers stop'],
        ['tributary sources disable --tag nightly', 'all with a tag'],
      ],
    },
    delete: {
      about: 'Delete sources with their events and subscriptions.',
      examples: [
        ['tributary sources delete orders', 'asks before'],
        ['tributary sources delete --tag nightly --yes', 'all with a tag, without a question'],
      ],
    },
  },
};

function addStateCommands(tree: CommandTree, sources: Command): void {
  const { leaf } = tree;
  addBulkCommands(tree, sources, BULK);
  leaf(sources, {
    usage: 'reset-dedupe <source>',
    about: 'Let a source emit ids again that it emitted before.',
    input: Named,
    examples: [
      ['tributary sources reset-dedupe orders', 'after a test with a large id under greatest'],
      ['tributary sources reset-dedupe dc_1a2b3c', 'the same by id'],
    ],
    run: async (session, { source }) => {
      const api = await session.api();
      const id = await sourceNamed(api, source);
      await api.delete(`${pathOf(id)}/dedupe`);
      session.output.result({ id, reset: true }, `The dedupe of ${source} begins anew.`);
    },
  });
  leaf(sources, {
    usage: 'drop-waiting <source>',
    about: 'Drop the triggers that wait for a source that is behind; later ones run.',
    options: [YES],
    input: Confirmed.extend({ source: z.string() }),
    examples: [
      ['tributary sources drop-waiting orders', 'asks before'],
      ['tributary sources drop-waiting orders --yes', 'does not ask; $errors says how many were dropped'],
    ],
    run: async (session, { source, yes }) => {
      const api = await session.api();
      const id = await sourceNamed(api, source);
      await confirmDelete(session, `the triggers that wait for ${source}`, yes);
      await api.delete(`${pathOf(id)}/triggers`);
      session.output.result({ id, deleted: true }, `Dropping the triggers that wait for ${source}.`);
    },
  });
}

function addCodeCommand({ leaf }: CommandTree, sources: Command): void {
  leaf(sources, {
    usage: 'code <source>',
    about: 'Print the code that a source runs.',
    input: Named,
    examples: [
      ['tributary sources code orders', 'prints it'],
      ['tributary sources code orders > new-orders.mjs', 'keeps it in a file'],
    ],
    run: async (session, { source }) => {
      const { id, code } = await componentOfSource(session, await read(session, source));
      if (session.output.json) session.output.result({ id, code }, '');
      else session.output.text(code);
    },
  });
}

async function read(session: Session, name: string): Promise<Source> {
  const api = await session.api();
  return api.get(pathOf(await sourceNamed(api, name)), Source);
}

async function componentOfSource(session: Session, { component_id: id }: Source): Promise<ComponentWithCode> {
  return (await session.api()).get(`/components/${encodeURIComponent(id)}`, ComponentWithCode);
}

/** Only the columns for people need the component: it says which props are secret. */
async function show(session: Session, source: Source, known?: ComponentWithCode): Promise<void> {
  const { output } = session;
  const hasColumns = !output.json && !output.quiet;
  const component = known ?? (hasColumns ? await componentOfSource(session, source) : undefined);
  output.object(source, sourceDetails(component?.configurable_props ?? []));
}

async function create(
  session: Session,
  { from, name, endpoint, tag, listenTo, disabled, ...lines }: z.infer<typeof CreateInput>,
) {
  const api = await session.api();
  const component = await componentOf(api, session.terminal, from);
  const configured_props = await configuredProps(session, api, { component, lines });
  const emitter = await emitterOf(session, api, component, listenTo);
  // The API makes active sources only.
  const settings = { name, endpoint, tags: tag, configured_props } satisfies Omit<
    WireFields<SourceSettings, unknown>,
    'active'
  >;
  const body = { component_id: component.id, ...settings };
  const made = await api.send('POST', '/sources', Source, { body });
  if (emitter !== undefined) {
    const pair = { emitter_id: emitter, listener_id: made.id };
    await api.send('POST', '/subscriptions', Subscription, { body: pair });
  }
  const source = disabled ? await api.send('PUT', pathOf(made.id), Source, { body: { active: false } }) : made;
  await show(session, source, component);
  const { output } = session;
  if (output.hasColumns && output.isTerminal && source.active) output.note(firstStep(source));
}

/** The way to the first event of a new source. */
function firstStep(source: Source): string {
  const slug = shellWord(source.name_slug);
  const endpoint = endpointOf(source);
  return endpoint === undefined
    ? `Run it now: tributary sources run ${slug}`
    : `Send it a request: curl ${shellWord(endpoint)} -H 'Content-Type: application/json' -d '{"name": "Ada"}'\nThen show its events: tributary events ${slug}`;
}

async function update(
  session: Session,
  { source: text, from, name, endpoint, tag, untag, ...lines }: z.infer<typeof UpdateInput>,
) {
  const api = await session.api();
  const source = await read(session, text);
  const component =
    from === undefined ? await componentOfSource(session, source) : await componentOf(api, session.terminal, from);
  const stored = source.configured_props;
  const configured_props = await configuredProps(session, api, { component, lines, stored });
  const hasProps = Object.keys(configured_props).length > 0;
  const settings = {
    name,
    endpoint,
    tags: tagsOf(tag, untag),
    // Without it, new code would enable a disabled source.
    active: from === undefined ? undefined : source.active,
    configured_props: hasProps ? configured_props : undefined,
  } satisfies WireFields<SourceSettings, unknown>;
  const body = { component_id: from === undefined ? undefined : component.id, ...settings };
  await show(session, await api.send('PUT', pathOf(source.id), Source, { body }), component);
}
