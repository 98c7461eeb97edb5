import type { WebhookItem } from '../../api/wire.ts';
import { Badge, type Tone } from '../../components/badge.tsx';

type Health = Pick<WebhookItem, 'active' | 'disabled_reason' | 'failing_since_ms' | 'slow_since_ms' | 'last_attempt'>;

const DISABLED: Readonly<Record<string, readonly [Tone, string]>> = {
  owner: ['plain', 'disabled'],
  gone: ['bad', 'gone (410)'],
  failing: ['bad', 'off after 5 days of failures'],
};

function healthOf({
  active,
  disabled_reason: reason,
  failing_since_ms: failing,
  slow_since_ms: slow,
  last_attempt: last,
}: Health): readonly [Tone, string] {
  if (!active) return DISABLED[reason ?? 'owner'] ?? ['plain', 'disabled'];
  if (failing !== null) return ['bad', 'failing'];
  if (slow !== null) return ['warn', 'slow'];
  return last === null ? ['plain', 'no delivery yet'] : ['ok', 'healthy'];
}

export function WebhookHealth({ webhook }: { webhook: Health }) {
  const [tone, text] = healthOf(webhook);
  return <Badge tone={tone}>{text}</Badge>;
}
