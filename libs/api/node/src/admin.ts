import { defineMethod, param } from '@tetrad/rpc';
import { z } from 'zod';
import { BLOCK_HASH, ENODE, NODE_ID } from './examples.js';

const SOURCE = 'go-ethereum, "admin"';

/** Details by protocol name; their form is the protocol's. */
const protocolsSchema = z.record(z.string(), z.unknown());

const nodeInfoSchema = z.object({
  enode: z.string(),
  id: z.string(),
  ip: z.string(),
  listenAddr: z.string(),
  name: z.string(),
  ports: z.object({ discovery: z.int().nonnegative(), listener: z.int().nonnegative() }),
  protocols: protocolsSchema,
});

const peerInfoSchema = z.object({
  enode: z.string(),
  id: z.string(),
  name: z.string(),
  caps: z.array(z.string()),
  network: z.object({
    localAddress: z.string(),
    remoteAddress: z.string(),
    inbound: z.boolean(),
    trusted: z.boolean(),
    static: z.boolean(),
  }),
  protocols: protocolsSchema,
});

export type PeerInfo = z.output<typeof peerInfoSchema>;

const url = param('url', z.string(), 'enode URL');

/** The node and its peers. */
export const adminMethods = {
  admin_nodeInfo: defineMethod({
    summary: 'Enode URL, ports, name and chain of this node.',
    params: [],
    result: nodeInfoSchema,
    source: SOURCE,
    examples: [
      {
        summary: 'of a validator',
        params: [],
        result: {
          enode: ENODE,
          id: NODE_ID.slice(0, 64),
          ip: '127.0.0.1',
          listenAddr: '127.0.0.1:21000',
          name: 'Tetrad/v0.1.0/linux-x64/node20.20.0',
          ports: { discovery: 0, listener: 21000 },
          protocols: {
            eth: {
              network: 1337,
              difficulty: 17,
              genesis: BLOCK_HASH,
              config: { chainId: 1337, qbft: { epochlength: 30000 } },
              head: BLOCK_HASH,
              consensus: 'istanbul',
            },
          },
        },
      },
    ],
  }),
  admin_addPeer: defineMethod({
    summary: 'Keeps a connection with the node from now on; false when it is this node.',
    params: [param('url', z.string(), 'enode URL')],
    result: z.boolean(),
    errors: ['INVALID_ENODE'],
    source: SOURCE,
    examples: [{ summary: 'adds one', params: [ENODE], result: true }],
  }),
  admin_removePeer: defineMethod({
    summary: 'Ends the connection and does not restore it; false when the node was not known.',
    params: [param('url', z.string(), 'enode URL')],
    result: z.boolean(),
    errors: ['INVALID_ENODE'],
    source: SOURCE,
    examples: [{ summary: 'removes one', params: [ENODE], result: true }],
  }),
  admin_addTrustedPeer: defineMethod({
    summary: 'Lets the node connect beyond the limit of peers; it is not dialed, and a restart forgets it.',
    params: [url],
    result: z.boolean(),
    errors: ['INVALID_ENODE'],
    source: SOURCE,
    examples: [{ summary: 'trusts one', params: [ENODE], result: true }],
  }),
  admin_removeTrustedPeer: defineMethod({
    summary: 'Removes a node from the trusted ones; its connection stays.',
    params: [url],
    result: z.boolean(),
    errors: ['INVALID_ENODE'],
    source: SOURCE,
    examples: [{ summary: 'distrusts one', params: [ENODE], result: true }],
  }),
  admin_datadir: defineMethod({
    summary: 'Data folder of this node.',
    params: [],
    result: z.string(),
    source: SOURCE,
    examples: [{ summary: 'reads it', params: [], result: '/var/lib/tetrad/node' }],
  }),
  admin_peers: defineMethod({
    summary: 'Connected peers.',
    params: [],
    result: z.array(peerInfoSchema),
    source: SOURCE,
    examples: [
      {
        summary: 'with one',
        params: [],
        result: [
          {
            enode: ENODE,
            id: NODE_ID.slice(0, 64),
            name: 'Tetrad/v0.1.0/linux-x64/node20.20.0',
            caps: ['p2p/v1'],
            network: {
              localAddress: '127.0.0.1:21001',
              remoteAddress: '127.0.0.1:21000',
              inbound: false,
              trusted: true,
              static: true,
            },
            protocols: {},
          },
        ],
      },
    ],
  }),
};
