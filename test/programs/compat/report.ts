import { format } from 'oxfmt';
import { hookScenarios } from './stand-ins/hooks.ts';
import type { Row } from './try-component.ts';
import { vendorTable } from './vendor-table.ts';

/** Components that emit nothing for the genuine requests of their vendor, and why. */
const SILENT = new Map(
  hookScenarios.flatMap(({ component, emitsNothing }) =>
    emitsNothing === undefined ? [] : [[component, emitsNothing] as const],
  ),
);

/** The page about every component, as the formatter leaves it. */
export async function report(rows: readonly Row[], standIns: ReadonlyMap<string, boolean>): Promise<string> {
  const file = 'docs/component-compatibility.md';
  const short = ({ seen }: Row) => seen.path.replace(/^components\//, '');
  const count = (holds: (row: Row) => boolean) => rows.filter(holds).length;
  const ran = rows.map((row) => standIns.get(short(row)));
  const silentOf = (row: Row) => (standIns.get(short(row)) === true ? SILENT.get(short(row)) : undefined);
  const silent = rows.filter((row) => silentOf(row) !== undefined).length;
  const withHooks = rows.filter(({ seen }) => seen.hooks.length > 0);
  const text = [
    '# Which components run',
    '',
    '`npm run compat` writes this page; do not edit it. The components are the sources of the npm package `pipedream@0.2.2`, unchanged. Each was',
    'deployed by `component_url` through the API of a running service.',
    '',
    '- **created**: `POST /components` builds the component, with its packages from the registry.',
    '- **described**: names, types, order and defaults of its props equal those that plain Node finds in the same file.',
    '- **hooks**: `ran` if `deploy` and `activate` succeeded, against the stand-in if there is one. Other components got dummy values, no account',
    '  and an upstream that refuses connections. A hook that registers a webhook there must fail, with its own error and the line of its first',
    '  request.',
    '- **stand-in**: an end-to-end test ran the component against a stand-in of its upstream, which checks every request, and across a restart of',
    '  the service ([hooks](../test/programs/compat/hooks.long.test.ts), [timers](../test/programs/compat/timers.long.test.ts),',
    '  [apphooks](../test/programs/compat/apphook.long.test.ts)). `npm run test:long` runs all but those with large packages.',
    '',
    `${rows.length} components: ${count(({ created }) => created)} created, ${count(({ described }) => described)} described; of ${withHooks.length} with hooks ${rows.filter((row, at) => hooksOf(row, ran[at]) === 'ran').length} ran them; ${ran.filter((passed) => passed).length - silent} run against a stand-in, ${silent} emits nothing there${ran.some((passed) => passed === false) ? `, ${ran.filter((passed) => passed === false).length} fail there` : ''}.`,
    '',
    '## What is not supported',
    '',
    'None of these components uses the following; the build refuses it and says what to write instead:',
    '',
    "- `require('https://…')` and `import … from 'https://…'`: import the npm package by its name, or send the file with the component.",
    '- `paths` of a `tsconfig.json` and `imports` of a `package.json` (`@/lib/a`, `~/a`, `#a`): write the relative path of the file.',
    '- a computed path (`` import(`./${name}.mjs`) ``): write the path as a literal. A computed `require` is a warning, and finds modules of Node only.',
    '',
    '## Requests of vendors',
    '',
    'A stand-in sends the requests that its vendor documents ([senders](../test/programs/compat/senders)), made from the address that the component',
    'registered and the secret alone. [Examples](../test/programs/compat/examples.test.ts) that vendors print with their secrets are made byte by byte.',
    'The stand-ins once sent what the components check. Changed since, and what fell out:',
    '',
    ...vendorTable,
    '',
    '## Events of an app',
    '',
    'The stand-ins of Slack, Zoom, Strava and Dropbox send what the documentation of the vendor prints: the check of the address, and signed events',
    '([table](components.md#events-of-an-app-interfaceapphook)). **Discord cannot feed the app hooks of `discord`**: it sends messages over a connection',
    'that a program keeps open, and never to an address. A bridge of your own may post them to the endpoint, as the stand-in does.',
    '',
    '## The components',
    '',
    '| component | created | described | hooks | stand-in | why not |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row, at) =>
      [
        '',
        label(row),
        mark(row.created),
        mark(row.described),
        hooksOf(row, ran[at]),
        silentOf(row) !== undefined ? 'no event' : ran[at] === undefined ? '' : ran[at] ? 'ran' : 'failed',
        silentOf(row) ?? (ran[at] === true && row.described ? '' : cell(row.reason)),
        '',
      ].join(' | '),
    ),
    '',
  ].join('\n');
  return (await format(file, text)).code;
}

/** Without what every path has, and without the folder that is named like its file. */
const label = ({ seen }: Row) =>
  seen.path
    .replace(/^components\/([^/]+)\/sources\//, '$1/')
    .replace(/\.js$/, '')
    .replace(/\/([^/]+)\/\1$/, '/$1');
/** At a stand-in they ran, whatever became of them without an upstream. */
const hooksOf = ({ hooks }: Row, ran: boolean | undefined) => (hooks === 'none' ? '' : ran === true ? 'ran' : hooks);
const mark = (holds: boolean) => (holds ? 'yes' : 'no');
const cell = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 400);
