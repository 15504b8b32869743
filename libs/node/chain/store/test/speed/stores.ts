import type { Database } from '@tetrad/db';
import { NodeClient, type NodeCalls } from '../../src/node-client.js';

/** What the measured work goes through. */
export interface Stores {
  readonly database: Database;
  readonly client: NodeClient;
  /** Work with the client's calls, which loads the client where it is the first. */
  byClient(work: (calls: NodeCalls) => Promise<unknown>): () => Promise<unknown>;
}

export function storesOf(database: Database): Stores {
  const client = new NodeClient(database);
  return { database, client, byClient: (work) => async () => work(await client.calls()) };
}
