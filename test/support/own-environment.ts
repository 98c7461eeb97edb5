/** The environment before the first test file of this process. */
const first = ((globalThis as { firstEnvironment?: NodeJS.ProcessEnv }).firstEnvironment ??= {
  ...process.env,
});

// Files share a process: what one of them sets must not reach the next one.
for (const name of Object.keys(process.env)) if (!(name in first)) Reflect.deleteProperty(process.env, name);
Object.assign(process.env, first);
