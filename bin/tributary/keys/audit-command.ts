import * as z from 'zod';
import { Count, type CommandTree } from '../command-tree.ts';
import { sinceOption } from '../input/time-option.ts';
import type { Column } from '../output/text-table.ts';
import { AuditEntry } from '../session/response-schemas.ts';

const SHOWN = 20;

const COLUMNS: readonly Column<AuditEntry>[] = [
  { heading: 'TIME', at: ({ at_ms: at }) => at },
  { heading: 'BY', of: ({ by }) => by.name ?? by.kind },
  { heading: 'OPERATION', of: ({ operation }) => operation },
  { heading: 'IDS', of: ({ ids }) => ids.join(', '), drop: 2 },
  { heading: 'CHANGES', of: changesOf, drop: 1 },
  { heading: 'ADDRESS', of: ({ client_ip: address }) => address, isWide: true },
  { heading: 'REQUEST', of: ({ request_id: id }) => id, isWide: true },
];

/** `active: true → false; changed: headers` */
function changesOf({ before, after, removed, hidden }: AuditEntry): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const texts = names.map((name) => {
    const values = [before, after].flatMap((fields) => (fields ? [JSON.stringify(fields[name] ?? null)] : []));
    return `${name}: ${values.join(' → ')}`;
  });
  const taken = Object.entries(removed ?? {}).map(([name, value]) => `with ${name}: ${JSON.stringify(value)}`);
  return [...texts, ...(hidden.length > 0 ? [`changed: ${hidden.join(', ')}`] : []), ...taken].join('; ');
}

export function addAuditCommand({ program, leaf }: CommandTree): void {
  leaf(program, {
    usage: 'audit',
    about: 'Show who changed what, newest first. Needs a key with the scope manage.',
    options: [
      ['--by <key>', 'only changes by this key, by its name or id'],
      ['--operation <name>', 'only this operation, such as deleteSource'],
      ['--since <time>', 'from this time on, such as 2h, 3d or 2026-11-22T10:00:00Z'],
      ['--until <time>', 'before this time'],
      ['-n, --limit <count>', `changes to show, otherwise ${SHOWN}, or all with --json`],
    ],
    input: z.object({
      by: z.string().optional(),
      operation: z.string().optional(),
      since: z.string().optional(),
      until: z.string().optional(),
      limit: Count.optional(),
    }),
    examples: [
      ['tributary audit --operation deleteSource --since 7d', 'who deleted sources this week'],
      ['tributary audit --json > audit.jsonl', 'all of it, one JSON object a line'],
    ],
    run: async ({ api, output }, { by, operation, since, until, limit = output.json ? undefined : SHOWN }) => {
      const timeOf = (option: string, text: string | undefined) => text && sinceOption(option, text, Date.now());
      const query = { key: by, operation, since: timeOf('--since', since), until: timeOf('--until', until) };
      const entries = await (await api()).list('/users/me/audit', AuditEntry, { query, limit });
      if (output.json) for (const entry of entries) output.follow(entry, '');
      else
        output.list(
          entries.map((entry) => ({ ...entry, id: entry.number })),
          COLUMNS,
        );
    },
  });
}
