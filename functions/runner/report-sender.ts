import * as z from 'zod';
import { EMIT_QUEUE, type SendEmit } from '../../shared/runtime/emit-queue.ts';
import { lateTrigger } from '../../shared/service/runs/late-work.ts';
import type { SendReport } from './late-reports.ts';

const Host = z.object({
  [EMIT_QUEUE]: z.custom<SendEmit>((value) => typeof value === 'function').optional(),
});

/** The host of the functions may take reports of late work, by a property of `process`. */
export function reportSender(host: object): SendReport | undefined {
  const { [EMIT_QUEUE]: sendEmit } = Host.parse({ [EMIT_QUEUE]: Reflect.get(host, EMIT_QUEUE) });
  if (!sendEmit) return undefined;
  return (report) => {
    const trigger = lateTrigger(report, Date.now());
    // A queue that takes nothing has stopped, or its disk has failed.
    if (trigger) void sendEmit(trigger).catch(() => undefined);
  };
}
