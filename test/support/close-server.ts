import { Server as HttpServer } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Server } from 'node:net';

/**
 * Closes a server. An HTTP server waits forever for a client that connected and never sent a request, so its
 * connections are closed, too.
 */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    if (server instanceof HttpServer || server instanceof HttpsServer) server.closeAllConnections();
  });
