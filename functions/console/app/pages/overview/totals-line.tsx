import type { Totals } from '../../api/totals.ts';
import { countText } from '../../locale.ts';

const NAMES = {
  sources: ['source', 'sources'],
  webhooks: ['webhook', 'webhooks'],
  components: ['component', 'components'],
} as const satisfies Partial<Record<keyof Totals, readonly [one: string, many: string]>>;
const KINDS = ['sources', 'webhooks', 'components'] as const;

/** The number of things of each kind, as links to their lists. */
export const TotalsLine = ({ totals }: { totals: Totals }) => (
  <ul class="plain totals" aria-label="Totals">
    {KINDS.map((kind) => (
      <li key={kind}>
        <a href={`/console/${kind}`}>
          {countText(totals[kind])} {NAMES[kind][totals[kind] === 1 ? 0 : 1]}
        </a>
      </li>
    ))}
  </ul>
);
