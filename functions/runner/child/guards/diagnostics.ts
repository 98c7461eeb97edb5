import { createRequire, isBuiltin, syncBuiltinESMExports } from 'node:module';
import trace from 'node:trace_events';
import v8 from 'node:v8';
import { isFunction } from '../../../../shared/runtime/guards.ts';
import { denied } from './denied.ts';

/** Functions that change the engine, or write files without asking the permission model. */
const OF_V8 = [
  'setFlagsFromString',
  'writeHeapSnapshot',
  'getHeapSnapshot',
  'setHeapSnapshotNearHeapLimit',
  'takeCoverage',
  'stopCoverage',
  'startCpuProfile',
];

/** Members of `process` that inspect or steer other processes, or load native code. */
const OF_PROCESS = [
  'report',
  '_debugProcess',
  '_debugEnd',
  '_linkedBinding',
  '_startProfilerIdleNotifier',
  '_stopProfilerIdleNotifier',
  'execve',
  'setuid',
  'seteuid',
  'setgid',
  'setegid',
  'setgroups',
  'initgroups',
  'loadEnvFile',
];

/** Builtin modules that open files or sockets natively, beside the permission model and the guards. */
const NATIVE_MODULES = ['node:sqlite', 'node:quic'];

/** Removes the diagnostics of Node and the engine from the process. */
export function removeDiagnostics(): void {
  for (const name of OF_PROCESS) Reflect.deleteProperty(process, name);
  refuse(v8, OF_V8, 'change or record the engine');
  Reflect.set(v8, 'startupSnapshot', undefined);
  refuse(trace, ['createTracing'], 'record traces');
  const load = createRequire(__filename);
  // A failed load takes several times as long as the question.
  for (const name of NATIVE_MODULES.filter((each) => isBuiltin(each))) {
    const module = loaded(load, name);
    if (module) refuse(module, Object.keys(module), `use ${name}`);
  }
  syncBuiltinESMExports();
}

function refuse(target: object, names: readonly string[], what: string): void {
  for (const name of names) {
    if (!isFunction(Reflect.get(target, name))) continue;
    Reflect.set(target, name, function refused() {
      throw denied(what);
    });
  }
}

/** Undefined where this version of Node has no such module. */
function loaded(load: NodeJS.Require, name: string): object | undefined {
  try {
    const module: unknown = load(name);
    return typeof module === 'object' && module !== null ? module : undefined;
  } catch {
    return undefined;
  }
}
