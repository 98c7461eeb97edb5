import { readFileSync } from 'node:fs';

export interface Instruction {
  name: string;
  /** The text after the name, with continued lines joined. */
  text: string;
}

/** https://docs.docker.com/reference/dockerfile/ */
function instructionsOf(file: string): Instruction[] {
  return readFileSync(file, 'utf8')
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { name, text };
    });
}

/** The instructions of each stage, the last one is the image. */
export function stagesOf(file: string): Instruction[][] {
  const stages: Instruction[][] = [];
  for (const instruction of instructionsOf(file)) {
    if (instruction.name === 'FROM') stages.push([]);
    stages.at(-1)?.push(instruction);
  }
  return stages;
}
