/** Replaces a value of any type that no function uses. Every use of it throws an error with its name. */
export function leftOut(name: string): never {
  // Only such a function can be called, constructed and extended.
  const refuse = function () {
    throw new Error(`${name} is left out of the functions' bundles (infra/slim), and was reached`);
  };
  // One trap for every way to use a function.
  const traps = Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((trap) => [trap, refuse]));
  return new Proxy(refuse, traps) as never;
}
