/** The one redirect address, which is registered at every provider. `origin` is that of the API for browsers. */
export const redirectAddress = (origin: string): string => `${origin}/connect/callback`;

export const connectAddress = (origin: string, token: string): string => `${origin}/connect/${token}`;

export const CONFIRM_PATH = '/connect/confirm';
