import { HOUR_MS } from '../../../../shared/lib/durations.ts';
import type { User } from '../api/wire.ts';
import { Facts } from './facts.tsx';
import { hasQuota } from './quota.ts';
import { Time } from './time.tsx';
import { countText, numberFormat } from '../locale.ts';

/** The used part of the plan. */
export function Usage({ user }: { user: User }) {
  if ('daily_invocations_quota' in user) {
    if (!hasQuota(user))
      return (
        <Facts
          facts={[
            ['Runs today', countText(user.daily_invocations_used)],
            ['Run time today', duration(user.daily_compute_time_used)],
          ]}
        />
      );
    return (
      <div class="grid">
        <Meter name="Runs today" used={user.daily_invocations_used} quota={user.daily_invocations_quota} />
        <Meter
          name="Run time today"
          used={user.daily_compute_time_used}
          quota={user.daily_compute_time_quota}
          show={duration}
        />
      </div>
    );
  }
  return (
    <Facts
      facts={[
        ['Runs of this billing period', countText(user.billing_period_invocations)],
        [
          'Billing period',
          <>
            <Time ms={user.billing_period_start_ts * 1_000} /> to <Time ms={user.billing_period_end_ts * 1_000} />
          </>,
        ],
      ]}
    />
  );
}

/** `3`, `12,300`, `1 billion`. */
const COUNT = numberFormat({
  notation: 'compact',
  compactDisplay: 'long',
  maximumFractionDigits: 1,
});
const HOURS = numberFormat({ maximumSignificantDigits: 3 });

/** Seconds up to an hour, then hours. */
const duration = (ms: number): string =>
  ms < HOUR_MS ? `${countText(Math.round(ms / 1_000))} s` : `${HOURS.format(ms / HOUR_MS)} h`;
const plain = (count: number): string => COUNT.format(count);

interface MeterProps {
  name: string;
  used: number;
  quota: number;
  show?: (amount: number) => string;
}

const Meter = ({ name, used, quota, show = plain }: MeterProps) => (
  <div class="meter">
    <div class="row">
      <span>{name}</span>
      <span class="muted">
        {show(used)} of {show(quota)}
      </span>
    </div>
    <meter
      aria-label={name}
      value={Math.min(used, quota)}
      max={Math.max(1, quota)}
      high={quota * 0.8}
      low={quota * 0.5}
      optimum={0}
    >
      {show(used)}
    </meter>
  </div>
);
