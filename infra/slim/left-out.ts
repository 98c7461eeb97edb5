/** Stands in for something of any type that no function reaches: whatever is done with it says so, by name. */
export function leftOut(name: string): never {
  // Only such a function can be called, constructed and extended.
  const refuse = function () {
    throw new Error(`${name} is left out of the functions' bundles (infra/slim), and was reached`);
  };
  // A trap for each thing that can be done with a function.
  const traps = Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((trap) => [trap, refuse]));
  return new Proxy(refuse, traps) as never;
}
