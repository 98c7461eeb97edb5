import { leftOut } from './left-out.ts';

/** Node hashes natively. */
export const Sha256Js = /* @__PURE__ */ leftOut('Sha256Js');
export const Sha1Js = /* @__PURE__ */ leftOut('Sha1Js');
export const Md5Js = /* @__PURE__ */ leftOut('Md5Js');

/** Bodies are streams of Node. The module of a web stream makes Node load all of its web streams. */
export const sdkStreamMixin = /* @__PURE__ */ leftOut('sdkStreamMixin for web streams');
export const createChecksumStream = /* @__PURE__ */ leftOut('createChecksumStream for web streams');

/** Clients retry in the mode "standard". */
export const AdaptiveRetryStrategy = /* @__PURE__ */ leftOut('AdaptiveRetryStrategy');

/** Functions get their region from the environment. */
export const getInstanceMetadataRegion = /* @__PURE__ */ leftOut('getInstanceMetadataRegion');

/** Functions send strings over HTTP/1.1, and every processor that Node supports has SIMD. */
export const connectH2 = /* @__PURE__ */ leftOut("undici's HTTP/2");
export const extractBody = /* @__PURE__ */ leftOut("undici's extractBody");
export const parserWithoutSimd = /* @__PURE__ */ leftOut("undici's parser without SIMD");
