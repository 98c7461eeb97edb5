import type { WebhookItem } from '../../api/wire.ts';
import { Badge, type Tone } from '../../components/badge.tsx';

type Health = Pick<WebhookItem, 'active' | 'disabled_reason' | 'failing_since_ms' | 'slow_since_ms' | 'last_attempt'>;

/** The values of the filter of a list, the worst first. */
export const HEALTHS = ['off', 'failing', 'slow', 'healthy', 'new', 'disabled'] as const;
type HealthName = (typeof HEALTHS)[number];

export function healthNameOf({
  active,
  disabled_reason: reason,
  failing_since_ms: failing,
  slow_since_ms: slow,
  last_attempt: last,
}: Health): HealthName {
  if (!active) return reason === 'gone' || reason === 'failing' ? 'off' : 'disabled';
  if (failing !== null) return 'failing';
  if (slow !== null) return 'slow';
  return last === null ? 'new' : 'healthy';
}

const TONES: Readonly<Record<HealthName, Tone>> = {
  off: 'bad',
  failing: 'bad',
  slow: 'warn',
  healthy: 'ok',
  new: 'plain',
  disabled: 'plain',
};

/** The colour and the words of the health. */
export function healthOf(webhook: Health): readonly [Tone, string] {
  const health = healthNameOf(webhook);
  return [TONES[health], textOf(health, webhook)];
}

function textOf(health: HealthName, { disabled_reason: reason }: Health): string {
  if (health === 'off') return reason === 'gone' ? 'gone (410)' : 'off after 5 days of failures';
  return health === 'new' ? 'no delivery yet' : health;
}

export function WebhookHealth({ webhook }: { webhook: Health }) {
  const [tone, text] = healthOf(webhook);
  return <Badge tone={tone}>{text}</Badge>;
}
