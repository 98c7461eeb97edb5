import { medianOf, type Ratio, ratioOf, type Round } from '../rounds.ts';

/** The rounds of one program with a number of webhooks. */
export interface PeerRounds {
  readonly name: string;
  readonly webhooks: number;
  readonly rounds: readonly Round[];
  /** Memory of its own process at the end. */
  readonly mb: number;
}

const BASE = 'Node-RED';
const START = '<!-- `npm run bench -- peers --write` writes this table. -->';
const END = '<!-- end -->';

/** Medians of the rounds, and the medians of the ratios to Node-RED in the same round with their quartiles. */
export function peerRows(measured: readonly PeerRounds[]): Record<string, string>[] {
  return measured.map(({ name, webhooks, rounds, mb }) => {
    const base = measured.find((one) => one.name === BASE && one.webhooks === webhooks)?.rounds ?? [];
    return {
      webhooks: String(webhooks),
      program: name,
      'deliveries/s': String(Math.round(webhooks * medianOf(rounds, 'eventsPerSecond'))),
      [`× ${BASE}`]: shown(ratioOf(rounds, base, 'eventsPerSecond')),
      'µs of processor time per event': String(Math.round(medianOf(rounds, 'processorUs'))),
      [`µs × ${BASE}`]: shown(ratioOf(rounds, base, 'processorUs')),
      'p50 ms': String(medianOf(rounds, 'p50Ms')),
      'p99 ms': String(medianOf(rounds, 'p99Ms')),
      MB: String(mb),
    };
  });
}

const shown = ({ median, from, to }: Ratio): string => `${median.toFixed(2)} (${from.toFixed(2)}–${to.toFixed(2)})`;

/** The page with another table of peers. */
export function withPeers(page: string, rows: readonly Record<string, string>[]): string {
  const start = page.indexOf(START);
  const end = page.indexOf(END, start);
  if (start < 0 || end < 0) throw new Error(`The page lacks "${START}" or "${END}".`);
  const head = Object.keys(rows[0] ?? {});
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [line(head), line(head.map(() => '---')), ...rows.map((row) => line(Object.values(row)))];
  return `${page.slice(0, start)}${START}\n\n${table.join('\n')}\n\n${page.slice(end)}`;
}
