import { beforeEach, describe, expect, it } from '@jest/globals';
import type { KnownExtension } from '@tetrad/node-store';
import type { PtmKey } from '@tetrad/types';
import { findKnownParties, type KnownPartiesParts } from '../src/confirmation/known-parties.js';
import { CONTRACT, MANAGEMENT, keyOf, stateWith } from './party-network.js';

const [CREATOR, PARTY, ATTACKER, INVITED] = [0, 1, 2, 3].map(keyOf) as [PtmKey, PtmKey, PtmKey, PtmKey];
/** Hashes of payloads: of the contract's creation, and of management contracts of the creator and of the attacker. */
const [CREATION, BY_CREATOR, BY_ATTACKER] = [1, 2, 3].map((byte) => new Uint8Array(64).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const ENDED = 20;

let rows: KnownExtension[];
/** Whether this node is a party to the creation of the contract. */
let isParty: boolean;
/** Block from which on this node has the contract. */
let since: number;
beforeEach(() => {
  rows = [];
  isParty = true;
  since = 1;
});

const senders = new Map([
  [1, CREATOR],
  [2, CREATOR],
  [3, ATTACKER],
]);

const parts: KnownPartiesParts = {
  store: {
    listEndedExtensions: async () => rows,
    findCreation: async () => (isParty ? CREATION : undefined),
  },
  metadata: () => ({ find: async () => new Map() }),
  manager: {
    async receive(hash) {
      const sender = senders.get(hash[0] as number);
      const rest = { plaintext: hash, privacyFlag: 0, affected: [], execHash: '', privacyGroupId: undefined };
      return { kind: 'found', value: { ...rest, sender, managedParties: [PARTY] } };
    },
    participants: async () => ({ kind: 'found', value: [PARTY] }),
    isSender: async () => ({ kind: 'found', value: false }),
  },
  states: { findState: async (_, block) => (block >= since ? stateWith(1) : undefined) },
  payloadHashOf: (raw) => raw,
};

function extended(creation: Uint8Array, recipientKey: PtmKey, isRecipient = false): KnownExtension {
  return {
    management: MANAGEMENT,
    contract: CONTRACT,
    initiator: CONTRACT,
    recipient: CONTRACT,
    recipientKey,
    creation,
    isInitiator: false,
    isRecipient,
    approvedBlock: ENDED - 2,
    finishedBlock: ENDED,
  };
}

const found = async () => [...(await findKnownParties(parts, CONTRACT)).parties].sort();

describe('the parties of a contract', () => {
  it('are sender and recipients of its creation, and those to whom one of them extended it', async () => {
    expect(await found()).toEqual([CREATOR, PARTY]);
    rows = [extended(BY_CREATOR, INVITED)];
    expect(await found()).toEqual([INVITED, CREATOR, PARTY]);
  });

  it('are not those to whom an attacker extended it, who approved that itself', async () => {
    rows = [extended(BY_ATTACKER, ATTACKER), extended(BY_ATTACKER, PARTY, true)];
    expect(await found()).toEqual([CREATOR, PARTY]);
  });

  it('are, for a node to which it was extended, both sides of the extension by which it has the contract', async () => {
    isParty = false;
    since = ENDED;
    rows = [extended(BY_CREATOR, PARTY, true)];
    expect(await found()).toEqual([CREATOR, PARTY]);
    since = ENDED + 5;
    expect(await found()).toEqual([]);
  });
});
