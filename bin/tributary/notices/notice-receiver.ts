import { appOfUrl, type ChatApp, FORMAT_NAMES } from '../../../shared/domain/webhook/webhook-format.ts';
import { refusedFailure, usageFailure } from '../failures.ts';
import { webhookNamed } from '../input/resolve-name.ts';
import { commandWith } from '../output/shell-word.ts';
import type { Session } from '../session/command-session.ts';
import { Webhook } from '../session/response-schemas.ts';

interface Receiver {
  /** Id, name or address. */
  webhook: string;
  format?: ChatApp | undefined;
  name?: string | undefined;
}

/** The id of a webhook: the one that is named or has the address, else a new one of the address. */
export async function receiverOf(session: Session, { webhook: text, ...wanted }: Receiver): Promise<string> {
  const api = await session.api();
  if (!/^https?:\/\//i.test(text)) return webhookNamed(api, text);
  const app = wanted.format ?? appOfUrl(text);
  const found = (await api.list('/users/me/webhooks', Webhook)).find(({ url }) => url === text);
  if (found) {
    if (app === undefined || found.format === app) return found.id;
    const mend = commandWith('tributary webhooks update', found.id, `--format ${app}`);
    throw refusedFailure(
      `The webhook of this address has the format ${found.format ?? 'event'}: ${mend}`,
      'wrong_format',
    );
  }
  if (app === undefined)
    throw usageFailure(
      'This is no address of Slack, Discord or Teams that is known: add --format, or create a webhook and name it.',
    );
  const body = { url: text, name: wanted.name ?? FORMAT_NAMES[app], format: app };
  const created = await api.send('POST', '/webhooks', Webhook, { body });
  session.output.note(`Created the webhook ${created.name ?? ''} (${created.id}).`);
  return created.id;
}
