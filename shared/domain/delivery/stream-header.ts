/** Percent-encodes the name of a stream for `x-tributary-event-name`, the only user input in a header. */
export const streamHeader = (stream: string): string => encodeURIComponent(stream).replaceAll('%24', '$');
