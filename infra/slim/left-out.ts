/** Stands in for something that no function reaches: whatever is done with it says so, by name. */
export function leftOut(name: string): never {
  const refuse = () => {
    throw new Error(`${name} is left out of the functions' bundles (infra/slim), and was reached`);
  };
  const traps = Object.fromEntries(
    Object.getOwnPropertyNames(Reflect)
      .filter((trap) => trap !== 'getOwnPropertyDescriptor')
      .map((trap) => [trap, refuse]),
  );
  return new Proxy(refuse, traps) as never;
}
