/**
 * The module that components get for `@pipedream/platform`, and for its old name. Written from its public documentation
 * and from its use in components; docs/components.md lists it. One file names all exports, because this is the module's
 * whole interface.
 */
export { axios, transformConfigForOauth, type RequestConfig, type SignConfig } from './axios.ts';
export { ConfigurationError } from './configuration-error.ts';
export { getFileStream, getFileStreamAndMetadata, type FileMetadata, type FileStream } from './file-stream.ts';
export { cloneSafe, jsonStringifySafe } from './safe-json.ts';
export { sqlProp, sqlProxy } from './sql.ts';
export { $end, $event, $send, END_NEEDLE, HTTP_METHODS, sendTypeMap } from './legacy.ts';

/** Default polling interval, in seconds. */
export const DEFAULT_POLLING_SOURCE_TIMER_INTERVAL = 60 * 15;
