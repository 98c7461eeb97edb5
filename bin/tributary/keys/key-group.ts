import * as z from 'zod';
import { Scope } from '../../../shared/domain/user/api-key.ts';
import type { CommandTree } from '../command-tree.ts';
import { confirmDelete } from '../input/confirm.ts';
import { API_KEY, idNamed } from '../input/resolve-name.ts';
import { durationOption, untilOption } from '../input/time-option.ts';
import type { Output } from '../output/printer.ts';
import type { Column } from '../output/text-table.ts';
import { AccessKey } from '../session/response-schemas.ts';
import { Confirmed, YES } from '../commands/shared-options.ts';

const COLUMNS: readonly Column<AccessKey>[] = [
  { heading: 'ID', of: ({ id }) => id },
  { heading: 'NAME', of: ({ name, is_current: isCurrent }) => (isCurrent ? `${name} (this one)` : name) },
  { heading: 'SCOPES', of: ({ scopes }) => scopes.join(', ') },
  { heading: 'LAST USE', drop: 1, at: ({ last_used_ms: at }) => at },
  { heading: 'EXPIRES', drop: 2, at: ({ expires_at_ms: at }) => at },
  { heading: 'CREATED', drop: 3, at: ({ created_at: at }) => at * 1_000 },
  { heading: 'OLD SECRET WORKS UNTIL', isWide: true, at: ({ overlap_until_ms: at }) => at },
];
const DETAILS: readonly Column<AccessKey>[] = [...COLUMNS, { heading: 'KEY', of: ({ api_key: key }) => key }];

const SCOPES = Scope.options.join(', ');
const pathOf = (id: string) => `/keys/${encodeURIComponent(id)}`;

/** `keys list | create | rotate | delete`. */
export function addKeyCommands({ group, leaf }: CommandTree): void {
  const keys = group('keys', 'API keys of your user.');
  leaf(keys, {
    usage: 'list',
    about: 'List your keys with their scopes and last uses, without their secrets.',
    input: z.object({}),
    examples: [
      ['tributary keys list', 'to find one that nobody uses'],
      ['tributary keys list --json', 'for programs'],
    ],
    run: async ({ api, output }) => output.list(await (await api()).get('/keys', z.array(AccessKey)), COLUMNS),
  });
  leaf(keys, {
    usage: 'create <name>',
    about: 'Create a key with at most the rights of the key in use, and print it, once.',
    options: [
      ['--scope <scope...>', `a right: ${SCOPES}`],
      ['--expires <time>', 'end, such as 90d or 2027-01-31; default: never'],
    ],
    input: z.object({
      name: z.string(),
      scope: z.array(z.enum(Scope.options, `must be one of ${SCOPES}`), `is needed: ${SCOPES}`),
      expires: z.string().optional(),
    }),
    examples: [
      ['tributary keys create dashboard --scope read', 'a key that only reads'],
      ['tributary keys create shop --scope send --expires 90d', 'a key that sends events for 90 days'],
    ],
    run: async ({ api, output }, { name, scope: scopes, expires }) => {
      const at = expires === undefined ? undefined : untilOption('--expires', expires, Date.now());
      const body = { name, scopes, expires_at_ms: at };
      printKey(output, await (await api()).send('POST', '/keys', AccessKey, { body }));
    },
  });
  leaf(keys, {
    usage: 'rotate <key>',
    about: 'Replace the secret of a key, by name or id, and print the new one, once.',
    options: [['--overlap <time>', 'how long the old secret works too, such as 24h; default: it stops within 60 s']],
    input: z.object({ key: z.string(), overlap: z.string().default('0s') }),
    examples: [
      ['tributary keys rotate shop --overlap 24h', 'leaves a day to replace it everywhere'],
      ['tributary keys rotate shop', 'after a leak'],
    ],
    run: async (session, { key, overlap }) => {
      const body = { overlap_seconds: durationOption('--overlap', overlap) };
      const api = await session.api();
      const id = await idNamed(api, [API_KEY], key);
      const rotated = await api.send('POST', `${pathOf(id)}/rotate`, AccessKey, { body });
      printKey(session.output, rotated);
      const { keyFrom } = await session.target();
      if (rotated.is_current)
        session.output.note(`Commands still use the old secret, from ${keyFrom}: replace it there.`);
    },
  });
  leaf(keys, {
    usage: 'delete <key>',
    about: 'End a key within 60 s, by name or id.',
    options: [YES],
    input: z.object({ key: z.string(), ...Confirmed.shape }),
    examples: [
      ['tributary keys delete shop', 'asks before'],
      ['tributary keys delete key_… --yes', 'in a script'],
    ],
    run: async (session, { key, yes }) => {
      const api = await session.api();
      const id = await idNamed(api, [API_KEY], key);
      await confirmDelete(session, `the key ${key}`, yes);
      await api.delete(pathOf(id));
      session.output.deleted(id);
    },
  });
}

/** The service shows a key once: `-q`, which prints ids only, leaves it to stderr. */
function printKey(output: Output, key: AccessKey): void {
  output.object(key, DETAILS);
  if (output.quiet && !output.json && key.api_key !== undefined) output.note(`Key, shown once: ${key.api_key}`);
}
