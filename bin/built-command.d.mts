export function builtCommand(): Promise<string>;
