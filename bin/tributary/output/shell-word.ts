/** A text as one word of a shell. */
export const shellWord = (text: string): string =>
  /^[\w./:@=…-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** A command with an operand and options. An operand that looks like an option comes last, behind `--`. */
export const commandWith = (command: string, operand: string, options: string): string =>
  operand.startsWith('-')
    ? `${command} ${options} -- ${shellWord(operand)}`
    : `${command} ${shellWord(operand)} ${options}`;
