import { appOfUrl, type ChatApp, FORMAT_NAMES } from '../../../../../shared/domain/webhook/webhook-format.ts';
import { NOTICE_NAMES } from '../../../../../shared/domain/notice/notice-names.ts';
import { everyPage } from '../../api/list-pages.ts';
import { createSubscription, listSubscriptions } from '../../api/subscription-api.ts';
import { createWebhook } from '../../api/webhook-api.ts';
import type { WebhookItem } from '../../api/wire.ts';

/** The fields of the form: either a webhook, or the address of a channel. */
export interface NoticeFields {
  /** The id of a webhook. */
  webhook: string;
  address: string;
  /** The chosen app of the address. Without one, its host tells it. */
  app: ChatApp | undefined;
  kinds: readonly string[];
}

export const NO_NOTICES: NoticeFields = { webhook: '', address: '', app: undefined, kinds: NOTICE_NAMES };

/** The app of the address, if one is known. */
export const appOf = ({ address, app }: NoticeFields): ChatApp | undefined => app ?? appOfUrl(address.trim());

/**
 * Makes a receiver get the chosen notices. Repeated after a failure, it makes what is missing: a webhook of the address
 * is used again, and a subscription that exists stays as it is.
 */
export async function addNotices(emitterId: string, fields: NoticeFields): Promise<void> {
  const problem = missingOf(fields);
  if (problem !== undefined) throw new Error(problem);
  const listenerId = fields.webhook === '' ? await webhookAt(fields) : fields.webhook;
  const { data: all } = await listSubscriptions();
  const own = all.filter((each) => each.emitter_id === emitterId && each.listener_id === listenerId);
  // A second POST would remove its filter.
  const missing = fields.kinds.filter((kind) => own.every(({ event_name: name }) => name !== kind));
  for (const kind of missing)
    await createSubscription({ emitter_id: emitterId, listener_id: listenerId, event_name: kind, filter: null });
}

function missingOf(fields: NoticeFields): string | undefined {
  const { webhook, kinds } = fields;
  const address = fields.address.trim();
  if (webhook === '' && address === '') return 'Choose a webhook, or give the address of a channel.';
  if (webhook !== '' && address !== '') return 'Choose a webhook or give an address, not both.';
  if (address !== '' && appOf(fields) === undefined) return 'Choose the app of the address.';
  return kinds.length === 0 ? 'Tick at least one kind of notice.' : undefined;
}

async function webhookAt(fields: NoticeFields): Promise<string> {
  const url = fields.address.trim();
  const app = appOf(fields) ?? 'slack';
  const found = (await everyPage<WebhookItem>('/users/me/webhooks')).find((each) => each.url === url);
  if (!found) {
    const none = { description: null, headers: {}, rate_limit: null, retry_seconds: null, target: null };
    const settings = { ...none, ordered: false, format: app, tags: [] };
    return (await createWebhook({ url, name: FORMAT_NAMES[app], ...settings })).data.id;
  }
  if (found.format === app) return found.id;
  const names = { now: FORMAT_NAMES[found.format], wanted: FORMAT_NAMES[app] };
  throw new Error(
    `The webhook ${found.name ?? found.id} of this address has the format ${names.now}. Set ${names.wanted} in its settings.`,
  );
}
