export const root: string;
export function sourceKey(folders: readonly string[]): string;
