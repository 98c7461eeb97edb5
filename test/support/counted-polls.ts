import { FakeClock } from '../../infra/embedded/clock.ts';
import type { StartCounting } from './counted.ts';
import { travel } from './travel.ts';

export interface CountedPolls {
  /** Per poll. */
  writeUnits: number;
  readUnits: number;
  sqsRequests: number;
  sqsFifoRequests: number;
}

/** Later than the time of this machine, which processes of components have. */
const START = Date.UTC(2031, 2, 29);
const POLLS = 4;
const MINUTE = 60_000;

/** Longer than a second: the run counts as one of its owner's concurrent runs. */
const component = `export default {
  name: 'Polls', version: '0.0.1', props: { timer: { type: '$.interface.timer' } },
  run() { return new Promise((resolve) => setTimeout(resolve, 1_100)); },
};`;

/** Lets a source poll every minute without finding anything, and counts what AWS would bill for. */
export async function countedPolls(start: StartCounting): Promise<CountedPolls> {
  const clock = new FakeClock(START);
  let isCounting = false;
  let [writeUnits, readUnits, sqsRequests, sqsFifoRequests, polls] = [0, 0, 0, 0, 0];
  const cloud = await start({
    clock,
    onConsumed(_table, _operation, { read = 0, write = 0 }) {
      if (!isCounting) return;
      writeUnits += write;
      readUnits += read;
    },
    onQueueRequest(queueName, operation, entries) {
      if (operation === 'ReceiveMessage' && entries === 0) return;
      const isFifo = queueName.endsWith('.fifo');
      if (isFifo && operation.startsWith('DeleteMessage')) polls += 1;
      if (!isCounting) return;
      sqsRequests += 1;
      if (isFifo) sqsFifoRequests += 1;
    },
  });
  const isBusy = () => [...cloud.cloud.functions.values()].some(({ running }) => running > 0);
  const travelUntil = async (count: number) => {
    const journey = { byMs: 30 * MINUTE, stepMs: 5_000, isBusy };
    if (!(await travel(clock, journey, () => polls >= count)))
      throw new Error(`Only ${polls} of ${count} polls have ended`);
  };
  try {
    const response = await fetch(`${cloud.origin}/v1/sources`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cloud.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        component_code: component,
        configured_props: { timer: { interval_seconds: 60 } },
      }),
    });
    if (response.status !== 200) throw new Error(`POST /sources: ${response.status} ${await response.text()}`);
    const first = polls + 1;
    await travelUntil(first);
    isCounting = true;
    await travelUntil(first + POLLS);
    const perPoll = (count: number) => count / POLLS;
    return {
      writeUnits: perPoll(writeUnits),
      readUnits: perPoll(readUnits),
      sqsRequests: perPoll(sqsRequests),
      sqsFifoRequests: perPoll(sqsFifoRequests),
    };
  } finally {
    await cloud.stop();
  }
}
