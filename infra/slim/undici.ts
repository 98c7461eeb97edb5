import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import { leftOut } from './left-out.ts';

for (const name of ['request', 'stream', 'pipeline', 'upgrade', 'connect']) {
  Reflect.set(Dispatcher.prototype, name, leftOut(`undici's ${name}`));
}

/** Replaces undici's index, which also imports fetch, WebSocket, caches and mocks: functions only dispatch. */
export { Agent, buildConnector, Dispatcher };
