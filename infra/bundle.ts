import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Function → its entry file. The name is also the folder of its bundle. */
export const functionEntries = {
  components: 'functions/api/components.ts',
  sources: 'functions/api/sources.ts',
  workflows: 'functions/api/workflows.ts',
  subscriptions: 'functions/api/subscriptions.ts',
  webhooks: 'functions/api/webhooks.ts',
  users: 'functions/api/users.ts',
  ingress: 'functions/ingress/index.ts',
  'run-source': 'functions/queue/run-source.ts',
  'deliver-event': 'functions/queue/deliver-event.ts',
  'retry-delivery': 'functions/queue/retry-delivery.ts',
  timers: 'functions/queue/timers.ts',
  builder: 'functions/builder/index.ts',
  runner: 'functions/runner/index.ts',
} as const;

export type FunctionName = keyof typeof functionEntries;

/** Files that ride along in a function's bundle folder: processes it starts, and modules it hands to components. */
const companions = {
  'builder/child': 'functions/builder/child.ts',
  'runner/child': 'functions/runner/child.ts',
} as const;
