import { TimerMessage } from '../../shared/domain/run/message.ts';
import { eachMessage } from '../../shared/lambda/queue.ts';
import { timerServices } from '../../shared/lambda/wiring/timer-wiring.ts';
import { createTimerForwarder } from '../../shared/service/timers/forward-timer.ts';

const { setAside, log, ...services } = timerServices();

/** Handles messages of the queue `timers`. */
export const handler = eachMessage({
  parse: (body) => TimerMessage.parse(JSON.parse(body)),
  handle: createTimerForwarder(services),
  setAside,
  log,
});
