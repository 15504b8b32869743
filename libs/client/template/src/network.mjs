// The members of the network, as "./tetrad up --endpoints-file" writes them.
import { readFileSync } from 'node:fs';
import { createTetradClient } from '@tetrad/client';

const FILE = process.env.ENDPOINTS ?? 'endpoints.json';

/** Each member: a client of its node, an account that the node holds, and the key of its transaction manager. */
export async function connectMembers() {
  const { nodes } = JSON.parse(readFileSync(FILE, 'utf8'));
  return Promise.all(
    nodes.map(async ({ rpc, ptmKey, accounts }) => ({
      client: await createTetradClient({ url: rpc, account: accounts[0], pollingInterval: 200 }),
      account: accounts[0],
      ptmKey,
    })),
  );
}
