/**
 * A data directory with this file is not whole, whatever its name: a backup makes the file first, and removes it last.
 */
export const UNFINISHED_MARK = 'unfinished-backup';
