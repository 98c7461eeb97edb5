import { leftOut } from './left-out.ts';

/** What a client that reads and writes no event streams has instead. */
export const eventStreamSerdeProvider = leftOut('eventStreamSerdeProvider');
export const resolveEventStreamSerdeConfig = <C>(config: C): C => config;
