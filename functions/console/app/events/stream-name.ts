/** The shown name of a stream. */
export const streamName = (eventName: string): string => {
  if (eventName === '$test') return 'test';
  return eventName === '' ? 'default' : eventName;
};
