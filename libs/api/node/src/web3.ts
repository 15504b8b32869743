import { dataCodec, defineMethod, hashCodec, indexCodec, param } from '@tetrad/rpc';
import { z } from 'zod';

/** What clients ask of the process itself. */
export const web3Methods = {
  web3_clientVersion: defineMethod({
    summary: 'Name and version of this node, its platform and its runtime.',
    params: [],
    result: z.string(),
    source: 'common to Ethereum clients',
    examples: [{ summary: 'reads it', params: [], result: 'Tetrad/v0.1.0/linux-x64/node20.20.0' }],
  }),
  web3_sha3: defineMethod({
    summary: 'Keccak-256 of the data.',
    params: [param('data', dataCodec, 'bytes to hash')],
    result: hashCodec,
    source: 'common to Ethereum clients',
    examples: [
      {
        summary: 'of nothing',
        params: ['0x'],
        result: '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
      },
    ],
  }),
};

/** What clients ask of the peer network. */
export const netMethods = {
  net_version: defineMethod({
    summary: 'Network id as decimal text: the chain id.',
    params: [],
    result: z.string().regex(/^[0-9]+$/),
    source: 'Ethereum execution API, "net"',
    examples: [{ summary: 'reads it', params: [], result: '1337' }],
  }),
  net_listening: defineMethod({
    summary: 'Whether the node takes peer connections.',
    params: [],
    result: z.boolean(),
    source: 'common to Ethereum clients',
    examples: [{ summary: 'with a peer port', params: [], result: true }],
  }),
  net_peerCount: defineMethod({
    summary: 'Number of connected peers.',
    params: [],
    result: indexCodec,
    source: 'common to Ethereum clients',
    examples: [{ summary: 'in a network of four', params: [], result: '0x3' }],
  }),
};

/** Which modules the node exposes. */
export const rpcMethods = {
  rpc_modules: defineMethod({
    summary: 'Exposed modules with the version of each.',
    params: [],
    result: z.record(z.string(), z.string()),
    source: 'go-ethereum, "rpc"',
    examples: [
      { summary: 'with three modules', params: [], result: { eth: '1.0', net: '1.0', web3: '1.0' } },
    ],
  }),
};
