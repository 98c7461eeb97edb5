type Line = readonly [line: string, exit: number, reads: string];

/** Wrong commands, each with its exit code and its message. */
export const COMMANDS: readonly Line[] = [
  ['sources lst', 2, "Unknown command 'lst'. Did you mean list?"],
  ['sources list --jsn', 2, "Unknown option '--jsn'. Did you mean --json?"],
  ['sources get polller', 1, 'There is no source polller. Did you mean poller?'],
  ['sources create poller.mjs', 2, 'Poller needs the prop url: add --prop url=….'],
  [
    'sources create poller.mjs --prop ulr=x',
    2,
    'The component has no prop ulr; it has timer, url, count. Did you mean url?',
  ],
  ['sources create poller.mjs --prop url', 2, '--prop must be NAME=VALUE.'],
  [
    'sources create poller.mjs --prop url=x --prop timer=hourly',
    2,
    'The prop timer must be seconds or a cron expression of five fields, not hourly.',
  ],
  ['sources create poller.mjs --prop url=x --prop count=many', 2, 'The prop count must be an integer, not many.'],
  ['sources create poler.mjs', 1, 'The file poler.mjs cannot be read: there is no such file.'],
  ['sources create poller.mjs --prop url=@poller.txt', 1, 'The file poller.txt cannot be read: there is no such file.'],
  ['sources get', 2, 'The argument source is missing: tributary sources get <source>.'],
  ['completion tcsh', 2, 'The argument shell must be bash, zsh or fish.'],
  ['new poller here/orders.mjs', 1, 'The file here/orders.mjs cannot be written: its folder does not exist.'],
  ['new poller orders.py', 2, 'The file orders.py must end in .mjs, .js, .cjs or .ts.'],
  ['new test orders.ts', 2, 'The file orders.ts must be named orders.test.mjs, which tests orders.mjs or orders.ts.'],
  ['webhooks update shop --rate-limit many', 2, '--rate-limit must be a whole number, 1 or more, or none.'],
  [
    'import poller.mjs',
    2,
    'poller.mjs must be JSON: a value must be a string in double quotes, a number, true, false, null, an array or an object (line 1, column 1).',
  ],
  ['import empty.json', 2, 'empty.json is no document of tributary export: components is missing.'],
  ['new', 2, 'A command is missing after tributary new: poller, webhook, cron, listener, relay, test.'],
  [
    'sources create polr',
    1,
    'There is no component with the key polr, neither yours nor in the registry. Did you mean poller?',
  ],
  ['sources run poller --data {"a":1,}', 2, '--data must be JSON: remove the comma before } (line 1, column 8).'],
  ['sources run off', 1, 'off is off, so it cannot run: `tributary sources enable off` first.'],
  ['webhooks create a.example/hook', 1, 'url must begin with http:// or https://.'],
  ['subscriptions create poller hook', 1, 'There is no source, workflow or webhook hook.'],
  ['events poller -n 1000', 2, '-n (--limit) must be at most 100.'],
  ['events poller --stream $error', 2, '--stream must not begin with $, but for the streams $errors and $logs.'],
  ['listen poller', 2, 'The address is missing: add --forward URL.'],
  ['whoami --url 127.0.0.1:3000', 2, '--url must be an address such as http://localhost:3000, not 127.0.0.1:3000.'],
  [
    'whoami --key half-a-key',
    1,
    'This API key is not valid: check it for a typo or a missing end, or ask the operator for a new one. The address comes from the environment, the key from the options.\nRun tributary login, or set TRIBUTARY_API_KEY.\nThe operator makes a new key by tributary admin users rotate-key --user u_…; tributary admin users list shows the ids.',
  ],
];
