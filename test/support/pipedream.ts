import { packageFiles } from './package-files.ts';

/** Folder of the npm package pipedream@0.2.2 (MIT): components that were not written for this service. */
export const PIPEDREAM = await packageFiles({
  name: 'pipedream',
  version: '0.2.2',
  integrity: 'sha512-/gqXhL/GRW2TDkBk+K/rga+izMVUBoQSQ8hYxjs42BTzdJbgCxvphMietnmSfSRrHypBUsxuTB2qbtPOBIUPxA==',
});
