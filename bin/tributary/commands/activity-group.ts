import * as z from 'zod';
import { Count, type CommandTree } from '../command-tree.ts';

const Minute = z.looseObject({
  minute_ms: z.number(),
  runs: z.number(),
  events: z.number(),
  errors: z.number(),
  delivered: z.number(),
  failed: z.number(),
});

const COUNTS = ['runs', 'events', 'errors', 'delivered', 'failed'] as const;

/** `activity`: what happened in the last minutes. */
export function addActivityCommand({ program, leaf }: CommandTree): void {
  leaf(program, {
    usage: 'activity',
    about: 'Show runs, events, errors and deliveries of the last minutes.',
    options: [['--minutes <count>', 'minutes to show, 60 otherwise']],
    input: z.object({ minutes: Count.optional() }),
    examples: [
      ['tributary activity', 'the last hour, a row a minute'],
      ['tributary activity --minutes 1440 --json', 'the last day, for programs'],
    ],
    run: async ({ api, output }, { minutes }) => {
      const rows = await (await api()).get('/users/me/activity', z.array(Minute), { query: { minutes } });
      // A row has no id: -q prints its time.
      const items = rows.map((row) => (output.quiet ? { ...row, id: row.minute_ms } : row));
      output.list(output.json ? rows : items, [
        { heading: 'MINUTE', at: ({ minute_ms: ms }) => ms },
        ...COUNTS.map((name) => ({
          heading: name.toUpperCase(),
          of: (row: z.infer<typeof Minute>) => row[name],
        })),
      ]);
    },
  });
}
