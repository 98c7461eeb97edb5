/** The scopes in a text of the provider. */
export const scopesIn = (text: string, separator: ' ' | ','): string[] => {
  const scopes = text.split(separator === ' ' ? /\s+/ : ',').map((scope) => scope.trim());
  return [...new Set(scopes)].filter((scope) => scope !== '');
};
