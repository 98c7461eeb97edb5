import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

/**
 * Preloaded by the recorded service, which then believes in all of its threads that it is ten years later: `LATER_MS` of
 * `later.ts`.
 */
const LATER_MS = 10 * 365 * 86_400_000;
const Present = Date;

globalThis.Date = class extends Present {
  constructor(...parts) {
    if (parts.length === 0) super(Present.now() + LATER_MS);
    else super(...parts);
  }

  static now() {
    return Present.now() + LATER_MS;
  }
};

threads.Worker = class extends threads.Worker {
  constructor(program, options) {
    super(program, { ...options, execArgv: ['--import', import.meta.url] });
  }
};
syncBuiltinESMExports();
