import api from 'undici/lib/api/index.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import buildConnector from 'undici/lib/core/connect.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';

// As undici's own index does it; without fetch, WebSocket, caches and mocks it is a third of the size.
Object.assign(Dispatcher.prototype, api);

/** Stands in for undici's index when functions are bundled. */
export { Agent, buildConnector, Dispatcher };
