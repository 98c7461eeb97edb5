/**
 * What components get for `@pipedream/platform`, and for its old name. Written from what is publicly documented about that
 * module and from how components use it; docs/components.md lists it. This is the module's whole surface, hence one file
 * that names everything.
 */
export { axios, transformConfigForOauth, type RequestConfig, type SignConfig } from './axios.ts';
export { ConfigurationError } from './configuration-error.ts';
export {
  getFileStream,
  getFileStreamAndMetadata,
  type FileMetadata,
  type FileStream,
} from './file-stream.ts';
export { cloneSafe, jsonStringifySafe } from './safe-json.ts';
export { sqlProp, sqlProxy } from './sql.ts';
export { $end, $event, $send, END_NEEDLE, HTTP_METHODS, sendTypeMap } from './legacy.ts';

/** How often sources poll unless told otherwise. */
export const DEFAULT_POLLING_SOURCE_TIMER_INTERVAL = 60 * 15;
