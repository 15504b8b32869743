import { defineMethod, param } from '@tetrad/rpc';
import { z } from 'zod';
import { NODE_ID } from './examples.js';
import { textFromInteger } from './tolerances.js';
import { textSchema } from './wire/text.js';

const SOURCE = 'interface document, "Node interface: raft"';
const RAFT_ENODE = `enode://${NODE_ID}@127.0.0.1:21003?discport=0&raftport=50404`;

const port = z.int().min(0).max(65535);
const roleSchema = z.enum(['minter', 'verifier', 'learner', '']);

/** An integer in answers, as the sample response carries; decimal text is read as well. */
const raftIdCodec = z.codec(
  z.union([z.int().nonnegative(), z.string().regex(/^[0-9]{1,5}$/)]),
  z.int().nonnegative(),
  {
    decode: (wire) => Number(wire),
    encode: (raftId) => raftId,
  },
);

/** The declared form of a raft id parameter: decimal text. */
const raftIdTextCodec = z.codec(
  z.string().regex(/^[0-9]{1,5}$/, 'must be a raft id'),
  z.int().min(0).max(65535, 'must be below 65536'),
  { decode: (text) => Number(text), encode: (raftId) => raftId.toString() },
);

/** A member of the cluster; the host name is written under both spellings that clients read. */
const clusterNodeCodec = z.object({
  hostName: z.string(),
  hostname: z.string(),
  nodeActive: z.boolean(),
  nodeId: z.string(),
  p2pPort: port,
  raftId: raftIdCodec,
  raftPort: port,
  role: roleSchema,
});

const MEMBERSHIP = [
  'NOT_A_CLUSTER_MEMBER',
  'NO_LEADER',
  'LEARNER_NOT_ALLOWED',
  'CLUSTER_REFUSED',
  'RAFT_NOT_AVAILABLE',
] as const;
const ENODE_RULES = ['INVALID_ENODE', 'ALREADY_IN_CLUSTER', 'ENDPOINT_IN_USE'] as const;

const enode = param('enodeId', textSchema, 'enode URL with raftport');
const raftId = param('raftId', raftIdTextCodec, 'raft id of the node');
const acceptsInteger = [textFromInteger('interface document, sample requests carry an integer', 0)];

/** Membership of the raft cluster. */
export const raftMethods = {
  raft_addLearner: defineMethod({
    summary: 'Adds a node that follows the chain and transacts without a vote; the result is its raft id.',
    params: [enode],
    result: raftIdCodec,
    errors: [...MEMBERSHIP, ...ENODE_RULES],
    source: SOURCE,
    examples: [{ summary: 'adds one', params: [RAFT_ENODE], result: 4 }],
  }),
  raft_addPeer: defineMethod({
    summary: 'Adds a node with a vote; the result is its raft id.',
    params: [enode],
    result: raftIdCodec,
    errors: [...MEMBERSHIP, ...ENODE_RULES],
    source: SOURCE,
    examples: [{ summary: 'adds one', params: [RAFT_ENODE], result: 4 }],
  }),
  raft_cluster: defineMethod({
    summary: 'Nodes of the cluster, this one last.',
    params: [],
    result: z.array(clusterNodeCodec),
    errors: ['RAFT_NOT_AVAILABLE'],
    source: `${SOURCE}, and "Raft cluster node object"`,
    examples: [
      {
        summary: 'of one node',
        params: [],
        result: [
          {
            hostName: '127.0.0.1',
            hostname: '127.0.0.1',
            nodeActive: true,
            nodeId: NODE_ID,
            p2pPort: 21000,
            raftId: 1,
            raftPort: 50401,
            role: 'minter',
          },
        ],
      },
    ],
  }),
  raft_leader: defineMethod({
    summary: 'Node id of the leader.',
    params: [],
    result: z.string(),
    errors: ['NO_LEADER', 'RAFT_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [{ summary: 'reads it', params: [], result: NODE_ID }],
  }),
  raft_promoteToPeer: defineMethod({
    summary: 'Gives a learner a vote.',
    params: [raftId],
    result: z.boolean(),
    errors: [...MEMBERSHIP, 'NOT_A_LEARNER'],
    accepts: acceptsInteger,
    source: SOURCE,
    examples: [
      { summary: 'as declared', params: ['4'], result: true },
      { summary: 'with an integer', params: [4], result: true },
    ],
  }),
  raft_removePeer: defineMethod({
    summary: 'Removes a node from the cluster for good.',
    params: [raftId],
    result: z.null(),
    errors: MEMBERSHIP,
    accepts: acceptsInteger,
    source: SOURCE,
    examples: [{ summary: 'with an integer', params: [4], result: null }],
  }),
  raft_role: defineMethod({
    summary: 'Role of this node; empty without a leader.',
    params: [],
    result: roleSchema,
    errors: ['RAFT_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [{ summary: 'of a follower', params: [], result: 'verifier' }],
  }),
};
