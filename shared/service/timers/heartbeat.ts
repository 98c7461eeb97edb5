import type { ServiceMarks } from '../../domain/service-health.ts';
import type { HeartbeatMessage } from '../../domain/run/message.ts';

/** An older message waited, and says nothing about now. */
const FRESH_MS = 2 * 60_000;

export const isFresh = ({ scheduledAt }: HeartbeatMessage, now: number): boolean =>
  now - Date.parse(scheduledAt) < FRESH_MS;

export interface HeartbeatServices {
  marks: { read(): Promise<ServiceMarks>; setStalled(since: number | undefined): Promise<void> };
  /** Whether triggers wait and none runs. */
  isStalled(): Promise<boolean>;
  /** Public addresses of `/healthz`. */
  addresses: readonly string[];
  /** Rejects unless the address answers 200. */
  probe(address: string): Promise<void>;
  /** Counts a success: CloudWatch misses it otherwise. */
  report(): Promise<void>;
  onFailed(error: unknown): void;
  now(): number;
}

/**
 * Calls `/healthz` of both APIs as their users do, and reports success. Never rejects: the next minute tries again, and
 * the alarm counts the minutes without a report.
 */
export const createHeartbeat =
  ({ marks, isStalled, addresses, probe, report, onFailed, now }: HeartbeatServices) =>
  async (message: HeartbeatMessage): Promise<void> => {
    if (!isFresh(message, now())) return;
    try {
      const [isStill, { stalledSince }] = await Promise.all([isStalled(), marks.read()]);
      if (isStill !== (stalledSince !== undefined)) await marks.setStalled(isStill ? now() : undefined);
      await Promise.all(addresses.map(probe));
      await report();
    } catch (error) {
      onFailed(error);
    }
  };
