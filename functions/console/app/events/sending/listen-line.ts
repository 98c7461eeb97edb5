import { quoted } from '../../shell-text.ts';
import { LOCAL_ADDRESS } from './signed-curl.ts';

/** The command that posts the new events of a stream to an address of one's own machine, signed. */
export const listenLine = (emitterId: string, stream: string): string =>
  [
    `tributary listen ${emitterId} --forward ${LOCAL_ADDRESS}`,
    ...(stream === '' || stream === 'default' ? [] : [`--stream ${quoted(stream)}`]),
  ].join(' ');
