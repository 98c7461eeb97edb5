import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tableIn } from '../support/doc-table.ts';

const DOMAIN = ['shared/domain', 'shared/lib'];
const LAYERS_BELOW = {
  store: DOMAIN,
  dns: DOMAIN,
  aws: [...DOMAIN, 'shared/dns'],
  runtime: DOMAIN,
  service: [...DOMAIN, 'shared/store', 'shared/aws', 'shared/runtime'],
  lambda: [...DOMAIN, 'shared/store', 'shared/aws', 'shared/runtime', 'shared/service'],
};

/** The paths that each folder may import besides its own. The longest matching folder names the layer of a file. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'shared/lib': [],
  'shared/domain': ['shared/lib'],
  'shared/store': LAYERS_BELOW.store,
  'shared/dns': LAYERS_BELOW.dns,
  'shared/aws': LAYERS_BELOW.aws,
  'shared/runtime': LAYERS_BELOW.runtime,
  'shared/runtime/redaction': [...DOMAIN, 'shared/runtime/guards.ts'],
  'shared/service': LAYERS_BELOW.service,
  'shared/lambda': LAYERS_BELOW.lambda,
  // It runs in other programs, also in browsers.
  'shared/client': ['shared/domain/errors.ts', 'shared/domain/delivery/retry-schedule.ts'],
  'shared/http': [...LAYERS_BELOW.lambda, 'shared/lambda'],
  functions: ['shared'],
  // It runs in a browser and knows the service by its public API: the types of the responses, and what the domain has
  // without Node.
  'functions/console/app': [
    'shared/http/responses.ts',
    'shared/http/account-responses.ts',
    'shared/http/audit/audit-response.ts',
    'shared/http/connect-responses.ts',
    'shared/http/webhook-responses.ts',
    'shared/http/metrics/metric-response.ts',
    'shared/http/keys/key-responses.ts',
    'shared/http/sessions/session-responses.ts',
    'shared/http/settings',
    'shared/domain/setting-texts.ts',
    'shared/domain/component/prop-value.ts',
    'shared/domain/component/timer-text.ts',
    'shared/domain/component/timer-ticks.ts',
    'shared/domain/source/run-counts.ts',
    'shared/domain/event/event-pattern/compile-pattern.ts',
    'shared/lib/schedule/cron.ts',
    'shared/lib/cut.ts',
    'shared/lib/durations.ts',
    'shared/lib/raw-json.ts',
    'shared/domain/component/starting-points.ts',
    'shared/domain/app-hook/one-address.ts',
    'shared/domain/delivery/retry-schedule.ts',
    'shared/domain/delivery/stream-header.ts',
    'shared/domain/notice/notice-names.ts',
    'shared/domain/target/target-kind-names.ts',
    'shared/domain/webhook/webhook-format.ts',
  ],
  infra: [
    'shared/store/table/table.ts',
    'shared/aws/object-keys.ts',
    'shared/http/gateway-routes.ts',
    'shared/http/docs/markup.ts',
    'shared/lambda/environment.ts',
    'shared/domain/limits.ts',
    'shared/domain/metrics/service-metric-names.ts',
    'shared/domain/runner/runner-memory.ts',
    'shared/domain/runner/isolation.ts',
    'shared/domain/time-limits.ts',
    'shared/domain/version.ts',
  ],
  // It starts the processes of the functions for untrusted code.
  'infra/embedded': ['shared/runtime', 'shared/dns', ...DOMAIN],
  bin: ['infra', 'shared'],
  // It runs components for their tests, as the builder and the runner do.
  'bin/component': [
    'functions/builder',
    'functions/runner',
    'bin/tributary/input/local-component.ts',
    'shared/runtime',
    'shared/service/sources/requested-event.ts',
    ...DOMAIN,
  ],
};

const layers = Object.keys(MAY_IMPORT).sort((a, b) => b.length - a.length);
const files = ['bin', 'infra', 'functions', 'shared'].flatMap((top) =>
  readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(top, path)),
);
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const textOf = (file: string) => texts.get(file) ?? '';
const specifiersOf = (file: string) =>
  [...textOf(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(([, specifier = '']) => specifier);
const importsOf = (file: string) =>
  specifiersOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => normalize(join(dirname(file), specifier)));
const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
const layerOf = (file: string) => layers.find((layer) => isWithin(file, layer)) ?? '';
const inFolders = (...folders: string[]) => files.filter((file) => folders.some((folder) => isWithin(file, folder)));
const withText = (candidates: readonly string[], pattern: RegExp) =>
  candidates.filter((file) => pattern.test(textOf(file)));

describe('imports point down', () => {
  test.each(Object.entries(MAY_IMPORT))('%s imports only the layers below it', (layer, below) => {
    const offenders = files
      .filter((file) => layerOf(file) === layer)
      .flatMap((file) =>
        importsOf(file)
          .filter((path) => ![layer, ...below].some((folder) => isWithin(path, folder)))
          .map((path) => `${file} imports ${path}`),
      );
    expect(offenders, `${layer} may import ${below.join(', ')}: move the code down, or pass it in`).toEqual([]);
  });

  test('only the page of metrics of one machine knows Prometheus', () => {
    const users = files.filter((file) => specifiersOf(file).includes('prom-client'));
    expect([...new Set(users.map((file) => dirname(file)))]).toEqual(['infra/embedded/metrics']);
    expect(withText(inFolders('functions', 'shared'), /prometheus/i)).toEqual([]);
  });

  test('infra/embedded imports what the table of docs/architecture.md says', () => {
    const row = tableIn('docs/architecture.md', 'Layers').find(([layer]) => layer === '`infra/embedded/`');
    const written = [...(row?.[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, path = '']) => `shared/${path}`);
    expect(written).toEqual(MAY_IMPORT['infra/embedded']);
    const imported = inFolders('infra/embedded').flatMap(importsOf);
    expect(written.filter((folder) => !imported.some((path) => isWithin(path, folder)))).toEqual([]);
  });

  test('only the builder and the runner link code of the runtime layer into functions', () => {
    const offenders = inFolders('functions')
      .filter((file) => !isWithin(file, 'functions/runner') && !isWithin(file, 'functions/builder'))
      .filter((file) => importsOf(file).some((path) => isWithin(path, 'shared/runtime')));
    expect(offenders).toEqual([]);
  });

  test('no file imports itself through others', () => {
    expect(circlesIn(new Map(files.map((file) => [file, importsOf(file)])))).toEqual([]);
  });
});

describe('the rooms of deliveries', () => {
  const ROOMS = ['fan-out', 'retries', 'webhooks', 'delivery'].map((room) => `shared/service/${room}`);

  test.each(ROOMS)('%s has at most 15 files', (room) => {
    const own = inFolders(room);
    expect(own.length, `no files: was ${room} renamed?`).toBeGreaterThan(0);
    expect(own.length, `${own.length} files: a larger room is two rooms`).toBeLessThanOrEqual(15);
  });

  test('import from one another in one direction', () => {
    const roomOf = (path: string) => ROOMS.find((room) => isWithin(path, room));
    const graph = new Map(
      ROOMS.map((room) => [
        room,
        inFolders(room)
          .flatMap(importsOf)
          .flatMap((path) => roomOf(path) ?? [])
          .filter((other) => other !== room),
      ]),
    );
    expect(circlesIn(graph)).toEqual([]);
  });
});

describe('rooms beside each other', () => {
  const LAYERS = [
    'shared/store',
    'shared/service',
    'shared/domain',
    'shared/http',
    'bin',
    'infra/embedded',
    'functions/builder',
    'functions/console/app',
  ];

  test.each(LAYERS)('no folder of %s imports itself through others', (layer) => {
    const roomOf = (file: string) => /^[^/]+(?=\/)/.exec(file.slice(layer.length + 1))?.[0] ?? '';
    const rooms = new Map<string, string[]>();
    for (const file of inFolders(layer).filter((each) => roomOf(each) !== '')) {
      const imported = importsOf(file)
        .filter((path) => isWithin(path, layer))
        .map(roomOf)
        .filter((room) => room !== '' && room !== roomOf(file));
      rooms.set(roomOf(file), [...(rooms.get(roomOf(file)) ?? []), ...imported]);
    }
    expect(circlesIn(rooms)).toEqual([]);
  });
});

describe('the console', () => {
  const app = inFolders('functions/console/app');

  test('is known to no other code', () => {
    const offenders = files
      .filter((file) => !app.includes(file))
      .filter((file) => importsOf(file).some((path) => isWithin(path, 'functions/console/app')));
    expect(offenders).toEqual([]);
  });

  test('takes types of responses from the service, and no code: the schemas are no part of its script', () => {
    expect(withText(app, /^import (?!type )[^;]*'[./]*\/shared\/http\//m)).toEqual([]);
  });

  test('sends requests in one place', () => {
    expect(withText(app, /\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon/)).toEqual([
      'functions/console/app/api/request.ts',
    ]);
  });

  test('has no markup as text and no style in markup, which its Content-Security-Policy would refuse', () => {
    expect(withText(app, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\sstyle=|\beval\(/i)).toEqual([]);
  });

  test('has pages that do not import from one another', () => {
    const pageOf = (path: string) => path.split('/')[4];
    const offenders = inFolders('functions/console/app/pages').flatMap((file) =>
      importsOf(file)
        .filter((path) => isWithin(path, 'functions/console/app/pages') && pageOf(path) !== pageOf(file))
        .map((path) => `${file} imports ${path}`),
    );
    expect(offenders, 'what two pages need belongs in components, hooks or api').toEqual([]);
  });
});

test('commands of the operator take types from the store, and no code: rules belong in shared/service', () => {
  expect(withText(inFolders('bin/admin/commands'), /^import (?!type )[^;]*'[./]*\/shared\/store\//m)).toEqual([]);
});

test("zod is imported whole: `import { z } from 'zod'` drags every locale into a bundle", () => {
  expect(withText(files, /import \{[^}]*\} from 'zod'/)).toEqual([]);
});

describe('the domain is pure', () => {
  const domain = inFolders(...DOMAIN);

  test('it imports zod, hashing, network addresses and itself', () => {
    const pure = ['zod', 'node:crypto', 'ipaddr.js'];
    const offenders = domain.flatMap((file) =>
      specifiersOf(file)
        .filter((specifier) => !specifier.startsWith('.') && !pure.includes(specifier))
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(offenders, 'clocks, ids and clients are passed in').toEqual([]);
  });

  test('it reads no clock, no random number and no environment', () => {
    expect(withText(domain, /Date\.now\(|new Date\(\)|Math\.random|process\.[a-z]/)).toEqual([]);
  });
});

describe('one way to write', () => {
  test('no file is called utils', () => {
    expect(files.filter((file) => /\/utils?(\.ts|\/)/.test(file))).toEqual([]);
  });

  test('no barrel', () => {
    expect(withText(files, /^export \* from/m)).toEqual([]);
  });

  test('zod is imported as a namespace', () => {
    expect(withText(files, /import \{ z \} from 'zod'/)).toEqual([]);
  });

  test('functions and shared do not know on which cloud they run, nor that they are tested', () => {
    expect(withText(inFolders('functions', 'shared'), /embedded|isLocal|NODE_ENV|VITEST/i)).toEqual([]);
  });

  test('only the environment module reads the environment, the runner what its children need for TLS, and a child its own', () => {
    const readers = withText(inFolders('functions', 'shared'), /process\.env/)
      .filter((file) => !file.startsWith('shared/runtime/') && !/\/child\b/.test(file))
      .sort();
    expect(readers).toEqual(['functions/runner/index.ts', 'shared/lambda/environment.ts']);
  });
});

describe('one name names one thing', () => {
  const own = inFolders('bin', 'functions', 'shared');
  const isEntryPoint = (file: string) =>
    file.startsWith('functions/api/') || ['index.ts', 'child.ts'].includes(basename(file));

  test('no two files of one name but for entry points', () => {
    expect(repeated(own.filter((file) => !isEntryPoint(file)).map((file) => [basename(file), file]))).toEqual([]);
  });

  test('no two exported functions of one name', () => {
    // Programs for users, as texts.
    const code = own.filter((file) => basename(file) !== 'snippet-texts.ts');
    const exported = code.flatMap((file) =>
      [
        ...textOf(file).matchAll(
          /^export (?:async )?function\*? (\w+)|^export const (\w+)(?:: [^=]+)? =\s*(?:async )?(?:<[^=]*>)?\(/gm,
        ),
      ]
        .map(([, declared, assigned]) => declared ?? assigned ?? '')
        .map((name): [string, string] => [name, file]),
    );
    expect(repeated(exported)).toEqual([]);
  });
});

function repeated(named: readonly (readonly [name: string, file: string])[]): string[] {
  const filesOf = new Map<string, Set<string>>();
  for (const [name, file] of named) filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file));
  return [...filesOf].filter(([, found]) => found.size > 1).map(([name, found]) => `${name}: ${[...found].join(', ')}`);
}

/** Depth-first search; each circle is reported by the import that closes it. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const finished = new Set<string>();
  const open: string[] = [];
  const circles: string[] = [];
  const visit = (file: string): void => {
    if (finished.has(file)) return;
    if (open.includes(file)) {
      circles.push([...open.slice(open.indexOf(file)), file].join(' -> '));
      return;
    }
    open.push(file);
    for (const next of graph.get(file) ?? []) visit(next);
    open.pop();
    finished.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return circles;
}

const LARGEST_FOLDER = 25;
/** Each of these has one file for a part of Lambda. */
const LARGE_FOLDERS = ['infra/embedded/lambda'];

test(`no folder has more than ${LARGEST_FOLDER} files`, () => {
  const sizes = new Map<string, number>();
  for (const file of files) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  const large = [...sizes].filter(([, size]) => size > LARGEST_FOLDER).map(([folder]) => folder);
  expect(large.sort(), 'a larger folder is two: name the second').toEqual(LARGE_FOLDERS);
});

/**
 * Lines of production code that a room may have, those of its own rooms included. A commit that raises one says what a
 * user gets for it, and what went out for it.
 */
const LINE_BUDGETS = {
  bin: 15_119,
  'bin/admin': 4_945,
  'bin/tributary': 8_070,
  functions: 27_742,
  'functions/builder': 4_296,
  'functions/console': 19_279,
  'functions/runner': 3_243,
  infra: 25_521,
  'infra/embedded': 20_977,
  'infra/embedded/dynamodb': 3_705,
  'infra/embedded/http-api': 2_612,
  'infra/embedded/sqs': 2_397,
  shared: 55_257,
  'shared/aws': 3_841,
  'shared/domain': 11_437,
  'shared/http': 7_221,
  'shared/lambda': 1_931,
  'shared/lib': 1_683,
  'shared/runtime': 3_158,
  'shared/service': 16_387,
  'shared/store': 8_337,
};

test.each(Object.entries(LINE_BUDGETS))('%s has at most %i lines', (room, budget) => {
  const lines = inFolders(room).map((file) => textOf(file).split('\n').length - 1);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(budget);
});

/** A handler parses, asks a use case and answers. */
test('no file of functions/api has 120 lines or more', () => {
  const long = inFolders('functions/api').filter((file) => textOf(file).trimEnd().split('\n').length >= 120);
  expect(long, 'move decisions to shared/service, and how a response looks to shared/http').toEqual([]);
});

/**
 * A text that is cut by a limit must not end inside a character: `shared/lib/cut.ts` cuts. Hashes and lists may be
 * sliced.
 */
test('no text is sliced by a limit', () => {
  const SLICED =
    /\.(?:slice|substring|substr)\(\s*(?:0,\s*|-)(?:LONGEST\w*|MAX_(?:CHARACTERS|BYTES)\w*|(?!HASH_|HEAD_|DIGEST_|TAG_)\w+_(?:LENGTH|CHARACTERS)|[6-9]\d|\d{3,})\b/g;
  const offenders = files
    .filter((file) => file !== 'shared/lib/cut.ts' && !file.startsWith('infra/'))
    .flatMap((file) => [...textOf(file).matchAll(SLICED)].map(([found]) => `${file}: ${found}`));
  // Lists of keys and of ids, and a slug, which is ASCII.
  expect(offenders.sort()).toEqual([
    'functions/console/app/pages/webhooks/started-recoveries.ts: .slice(-100',
    'shared/domain/source/slug.ts: .slice(0, LONGEST_SLUG',
    'shared/store/table/table-client.ts: .slice(0, 100',
  ]);
});
