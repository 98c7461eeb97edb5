import type { RateRounds } from './fixed-rates.ts';
import { medianOf, type Ratio, ratioOf, type Round } from '../rounds.ts';

/** The rounds of one program with a number of webhooks. */
export interface PeerRounds {
  readonly name: string;
  readonly webhooks: number;
  readonly rounds: readonly Round[];
  /** Memory of its own process at the end. */
  readonly mb: number;
}

const END = '<!-- end -->';

/** Medians of the rounds, and the medians of the ratios to the base in the same round with their quartiles. */
export function peerRows(measured: readonly PeerRounds[], base = 'Node-RED'): Record<string, string>[] {
  return measured.map(({ name, webhooks, rounds, mb }) => {
    const others = measured.find((one) => one.name === base && one.webhooks === webhooks)?.rounds ?? [];
    return {
      webhooks: String(webhooks),
      program: name,
      'deliveries/s': String(Math.round(webhooks * medianOf(rounds, 'eventsPerSecond'))),
      [`× ${base}`]: shown(ratioOf(rounds, others, 'eventsPerSecond')),
      'µs of processor time per event': String(Math.round(medianOf(rounds, 'processorUs'))),
      [`µs × ${base}`]: shown(ratioOf(rounds, others, 'processorUs')),
      'p50 ms': String(medianOf(rounds, 'p50Ms')),
      'p99 ms': String(medianOf(rounds, 'p99Ms')),
      MB: String(mb),
    };
  });
}

/** The same at fixed rates. */
export function rateRows(measured: readonly RateRounds[], base = 'Node-RED'): Record<string, string>[] {
  return measured.map(({ name, rate, rounds }) => {
    const others = measured.find((one) => one.name === base && one.rate === rate)?.rounds ?? [];
    return {
      'events/s': String(rate),
      program: name,
      'ms of processor time per event': (medianOf(rounds, 'processorUs') / 1000).toFixed(2),
      [`ms × ${base}`]: shown(ratioOf(rounds, others, 'processorUs')),
      'p50 ms': medianOf(rounds, 'p50Ms').toFixed(1),
      'p99 ms': medianOf(rounds, 'p99Ms').toFixed(1),
    };
  });
}

const shown = ({ median, from, to }: Ratio): string => `${median.toFixed(2)} (${from.toFixed(2)}–${to.toFixed(2)})`;

/** The page with another table of a bench. */
export function withTable(page: string, bench: string, rows: readonly Record<string, string>[]): string {
  const begin = `<!-- \`npm run bench -- ${bench} --write\` writes this table. -->`;
  const start = page.indexOf(begin);
  const end = page.indexOf(END, start);
  if (start < 0 || end < 0) throw new Error(`The page lacks "${begin}" or "${END}".`);
  const head = Object.keys(rows[0] ?? {});
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [line(head), line(head.map(() => '---')), ...rows.map((row) => line(Object.values(row)))];
  return `${page.slice(0, start)}${begin}\n\n${table.join('\n')}\n\n${page.slice(end)}`;
}
