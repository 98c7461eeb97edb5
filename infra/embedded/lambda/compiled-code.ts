import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import vm from 'node:vm';

/**
 * The service has answered its first requests by then, so the compiled form includes the functions that V8 compiles at
 * their first call.
 */
const KEPT_AFTER_MS = 3_000;

interface CompileOptions {
  file: string;
  source: string;
  /** Hash of the source: V8 itself compares only lengths. */
  sha256: string;
  /** Names of the variables that the source finds. */
  names: readonly string[];
}

/**
 * Compiles the body of a function, with V8's compiled form of an earlier start if there is one beside the source: a
 * bundle then loads in about half of the time. V8 refuses the form that another version of Node left. A bundle cannot
 * `import()`, because its compiled form could not.
 */
export function compile({ file, source, sha256, names }: CompileOptions): (...values: unknown[]) => unknown {
  const kept = `${file}.${sha256.slice(0, 16)}.v8`;
  const opening = `(function (${names.join(', ')}) {`;
  const cachedData = readIfThere(kept);
  const script = new vm.Script(`${opening}${source}\n})`, {
    filename: file,
    columnOffset: -opening.length,
    ...(cachedData && { cachedData }),
  });
  if (!cachedData || script.cachedDataRejected === true) {
    setTimeout(() => {
      keep(kept, script);
    }, KEPT_AFTER_MS).unref();
  }
  return script.runInThisContext() as (...values: unknown[]) => unknown;
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Under its name only when it is whole and on the device. A folder that cannot be written keeps nothing. */
function keep(file: string, script: vm.Script): void {
  const part = `${file}.${process.pid}.part`;
  try {
    writeFileSync(part, script.createCachedData(), { mode: 0o600, flush: true });
    renameSync(part, file);
  } catch {
    rmSync(part, { force: true });
  }
}
