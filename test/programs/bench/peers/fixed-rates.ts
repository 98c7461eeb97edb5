import { measureRound, type Round } from '../rounds.ts';
import { type Start, startAll } from './programs.ts';

/** The rounds of one program at one rate. */
export interface RateRounds {
  readonly name: string;
  /** Events per second. */
  readonly rate: number;
  readonly rounds: readonly Round[];
}

const RATES = [10, 50, 100, 200, 1_000];
/** A minute after its start a program is still being compiled. */
const WARM_UP_SECONDS = 60;
const text = JSON.stringify('x'.repeat(100));
const WARM_UP = { load: { rate: 200 }, text };

/** Rounds of programs at fixed rates with one webhook, all alive together, in alternating order. */
export async function atFixedRates(
  programs: Readonly<Record<string, Start>>,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<RateRounds[]> {
  const { started, stop } = await startAll(programs, 1);
  try {
    for (const { program } of started) await measureRound(program, WARM_UP, WARM_UP_SECONDS);
    const measured = RATES.flatMap((rate) =>
      started.map(({ name, program }) => ({ name, rate, program, rounds: [] as Round[] })),
    );
    for (let round = 0; round < rounds; round += 1)
      for (const one of round % 2 === 0 ? measured : measured.toReversed())
        one.rounds.push(await measureRound(one.program, { load: { rate: one.rate }, text }, seconds));
    return measured;
  } finally {
    await stop();
  }
}
