/** Epoch ms. */
export interface BillingPeriod {
  /** Included. */
  start: number;
  /** Excluded: the next period starts here. */
  end: number;
}

/**
 * A month from the moment the plan became `paid`, UTC: it ends at the same time of the same day of the next month, or
 * of that month's last day if the month is shorter. Every end is counted from that first moment, so that the 31st
 * returns after a February.
 */
export function billingPeriod(now: number, paidSince: number): BillingPeriod {
  const months = Math.max(0, monthNumberOf(now) - monthNumberOf(paidSince));
  const first = months > 0 && monthsAfter(paidSince, months) > now ? months - 1 : months;
  return { start: monthsAfter(paidSince, first), end: monthsAfter(paidSince, first + 1) };
}

/** Months since the year 0. */
function monthNumberOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function monthsAfter(at: number, months: number): number {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return date.setUTCFullYear(year, month, Math.min(date.getUTCDate(), lastDay));
}
