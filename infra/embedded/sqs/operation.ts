import { type Output } from '../call.ts';
import { type Clock } from '../clock.ts';
import { type Disk } from '../disk.ts';
import { type Weather } from '../weather.ts';
import { type Input } from './input.ts';
import { type Queue } from './queue.ts';

export interface OperationContext {
  readonly clock: Clock;
  readonly disk: Disk;
  readonly weather: Weather;
  readonly role: string;
  /** Waits until something may be receivable or `until` has come; false once the service closes. */
  waitForMessages(queue: Queue, until: number): Promise<boolean>;
  /** Counts the request: entries sent, deleted or changed, messages received. */
  count(entries: number): void;
}

export type Operation = (queue: Queue, input: Input, context: OperationContext) => Promise<Output>;
