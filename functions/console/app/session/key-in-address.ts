const KEY = /^#key=(.+)$/;

/** Takes the key of `#key=…` out of the address, so that neither history nor a copied address has it. */
export function takeKeyFromAddress(): string | undefined {
  const [, encoded] = KEY.exec(location.hash) ?? [];
  if (encoded === undefined) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
