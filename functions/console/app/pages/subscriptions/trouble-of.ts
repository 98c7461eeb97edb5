import type { SourceItem, WebhookItem } from '../../api/wire.ts';

/** A source or a webhook as its list has it; a workflow has nothing. */
interface Listed {
  item?: { source: SourceItem } | { webhook: WebhookItem };
}

/** A source whose last error is older works again. */
const RECENT_ERROR_MS = 10 * 60_000;

/** In a word, that a thing does not work: `failing`. */
export function troubleOf({ item }: Listed): string | undefined {
  if (item === undefined) return undefined;
  if ('webhook' in item) {
    if (!item.webhook.active) return 'off';
    return item.webhook.failing_since_ms === null ? undefined : 'failing';
  }
  const { state, last_error_ms: errorMs } = item.source;
  if (state === 'failed') return 'off';
  return errorMs !== null && errorMs > Date.now() - RECENT_ERROR_MS ? 'errors' : undefined;
}
