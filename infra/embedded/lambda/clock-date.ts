import { type Clock, systemClock } from '../clock.ts';

/** `Date` as a function's code sees it: it follows the clock of the cloud. */
export function dateOf(clock: Clock): DateConstructor {
  if (clock === systemClock) return Date;
  return new Proxy(Date, {
    construct: (target, given: [], newTarget) =>
      Reflect.construct(target, given.length === 0 ? [clock.now()] : given, newTarget) as Date,
    apply: () => new Date(clock.now()).toString(),
    get: (target, key) => (key === 'now' ? () => clock.now() : Reflect.get(target, key)),
  });
}
