import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { CommandTree } from '../command-tree.ts';
import { usageFailure } from '../failures.ts';
import { forwardEvents } from '../events/forward-events.ts';
import { jsonOrFile } from '../input/read-input.ts';
import { EMITTERS, idNamed } from '../input/resolve-name.ts';
import { FILTER, STREAM, Stream } from './shared-options.ts';
import { sinceOption } from '../input/time-option.ts';
import { SECRET, signingSecret } from '../input/secret-option.ts';

/** `listen`: forwards the events of a source to an address of this machine. The service stores no webhook for it. */
export function addListenCommand({ program, leaf }: CommandTree): void {
  leaf(program, {
    usage: 'listen <source>',
    about: 'Post new events to an address of yours as a webhook would get them. Makes nothing at the service.',
    options: [
      ['--forward <url>', 'address to post to'],
      ['--since <time>', 'post the kept events since then first, up to 100: 1h, or an ISO time'],
      STREAM,
      FILTER,
      SECRET,
    ],
    input: z.object({
      source: z.string(),
      forward: z.string().optional(),
      since: z.string().optional(),
      stream: Stream,
      filter: z.string().optional(),
      secret: z.string().optional(),
    }),
    examples: [
      ['tributary listen orders --forward http://localhost:8080/hook', 'prints a secret, then a line for each answer'],
      ['tributary listen orders --forward http://localhost:8080/hook --since 1h', 'the events of the last hour first'],
    ],
    run: async (session, { source, forward, since, stream, filter, ...input }) => {
      if (forward === undefined) throw usageFailure('The address is missing: add --forward URL.');
      if (!/^https?:\/\/[^/]/i.test(forward) || !URL.canParse(forward))
        throw usageFailure(`--forward must be an http or https address, not ${forward}.`);
      const from = since === undefined ? undefined : pastTime(since, Date.now());
      const pattern = filter === undefined ? undefined : await jsonOrFile(session.terminal, '--filter', filter);
      const known = await signingSecret(session.terminal, input.secret);
      const secret = known ?? `whsec_${randomBytes(32).toString('base64')}`;
      const api = await session.api();
      const emitterId = await idNamed(api, EMITTERS, source);
      const { output } = session;
      if (known === undefined) {
        if (output.json) output.follow({ type: 'secret', secret }, '');
        else output.text(`Signing secret: ${secret}`);
      }
      await forwardEvents(session, api, {
        ref: { emitterId, stream, filter: pattern === undefined ? undefined : JSON.stringify(pattern) },
        url: forward,
        secret,
        since: from,
      });
    },
  });
}

/** From a later time on, the events that come before it would be lost. */
function pastTime(text: string, now: number): number {
  const at = sinceOption('--since', text, now);
  if (at <= now) return at;
  throw usageFailure(`--since must be a time of the past, not ${text}.`);
}
