import { syncBuiltinESMExports } from 'node:module';

const { defineProperty } = Reflect;
const text = String;

/**
 * Replaces `process.env` by an object of its own with the same variables. Node's object writes to the environment of
 * the C library, which opens the files that some variables name without asking the permission model: `RESOLV_HOST_CONF`
 * at the first lookup of a name, for example. Variables of the process stay as they were at its start, for
 * `os.homedir()` and the time zone, too.
 */
export function detachEnvironment(): void {
  const environment = new Proxy(
    { ...process.env },
    {
      // Assignments come here, too. Values become text, as in Node's object.
      defineProperty(variables, name, descriptor) {
        if (typeof name === 'symbol' || !isVariable(descriptor)) return false;
        return defineProperty(variables, name, {
          value: text(descriptor.value),
          writable: true,
          enumerable: true,
          configurable: true,
        });
      },
      preventExtensions: () => false,
    },
  );
  Object.defineProperty(process, 'env', {
    value: environment,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  // Otherwise `import { env } from 'node:process'` would get Node's object.
  syncBuiltinESMExports();
}

const isVariable = (descriptor: PropertyDescriptor): boolean =>
  'value' in descriptor &&
  descriptor.writable !== false &&
  descriptor.enumerable !== false &&
  descriptor.configurable !== false;
