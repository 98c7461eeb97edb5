import { ConfigurationError } from './configuration-error.ts';

/** A method that the app must implement: components spread these into their methods and override them. */
const missing = (method: string) => (): never => {
  throw new ConfigurationError(`The app does not implement ${method}.`);
};

/** Methods of database apps: how to connect, and how to run a query. */
export const sqlProxy = {
  methods: {
    getClientConfiguration: missing('getClientConfiguration'),
    executeQuery: missing('executeQuery'),
    proxyAdapter: missing('proxyAdapter'),
  },
};

/** Methods that props of type `sql` need: the tables and their columns. */
export const sqlProp = {
  methods: {
    executeQuery: missing('executeQuery'),
    getSchema: missing('getSchema'),
  },
};
