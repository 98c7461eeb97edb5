import { type Clock, systemClock } from '../clock.ts';

/** The `Date` of a function's code, which follows the clock of the cloud. */
export function dateOf(clock: Clock): DateConstructor {
  if (clock === systemClock) return Date;
  return new Proxy(Date, {
    construct: (target, argumentList: [], newTarget) =>
      Reflect.construct(target, argumentList.length === 0 ? [clock.now()] : argumentList, newTarget) as Date,
    apply: () => new Date(clock.now()).toString(),
    get: (target, key) => (key === 'now' ? () => clock.now() : Reflect.get(target, key)),
  });
}
