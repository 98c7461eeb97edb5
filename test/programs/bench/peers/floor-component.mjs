import { createInterface } from 'node:readline';

/** The child of the floor: it parses each event, runs code with it and writes what the code emits. */
const emit = (body) => process.stdout.write(`${JSON.stringify(body)}\n`);
const component = { run: (body) => emit(body) };

createInterface({ input: process.stdin }).on('line', (line) => component.run(JSON.parse(line)));
