import { beforeEach, describe, expect, it } from '@jest/globals';
import { keccakHash } from '@tetrad/crypto';
import {
  Code,
  CodeCache,
  Journal,
  MemorySource,
  World,
  wordFromAddress,
  wordFromBytes,
  type Account,
} from '@tetrad/node-evm';
import {
  bytesFromHex,
  hexFromBytes,
  parseAddress,
  parseHash,
  parsePtmKey,
  type Address,
  type Hash,
  type Hex,
  type Log,
} from '@tetrad/types';
import { Interface } from 'ethers/abi';
import type { StoredExtension } from '@tetrad/node-store';
import type { PrivateResult } from '../execution/private-execution.js';
import { PendingMetadata, type PrivacyMetadata } from '../metadata/privacy-metadata.js';
import { payloadHash, type PayloadHash } from '../payload/payload-hash.js';
import type { PrivatePayload } from '../payload/payload-source.js';
import { MAX_SHARES, applySharedStates } from './apply-shared-states.js';
import { extensionChanges } from './extension-changes.js';
import { PendingExtensions } from './pending-extensions.js';
import { MAX_SHARED_STATE_BYTES, encodeSharedState, type SharedState } from './shared-state.js';
import type { Known, SharedStates } from './shared-states.js';

const EVENTS = new Interface(['event StateShared(address toExtend, string tesserahash, string uuid)']);
const MANAGEMENT = parseAddress('0x00000000000000000000000000000000000000a1');
const CONTRACT = parseAddress('0x1349f3e1b8d71effb47b840594ff27da7e603d17');
const OTHER = parseAddress('0x1932c48b2bf8102ba33b4a6b545c32236e342f34');
const SENDER = parsePtmKey('BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo=');
const STRANGER = parsePtmKey('QfeDAys9MPDs2XHExtc84jKGHxZg/aj52DTh0vtA3Xc=');
const hashOf = (byte: number) => payloadHash(Buffer.alloc(64, byte));
const [STATE, VOTE, CREATION] = [hashOf(1), hashOf(2), hashOf(3)];
const CODE = Buffer.from('6000', 'hex');

const known = <T>(value: T): Known<T> => ({ kind: 'known', value });
const AWAY: Known<never> = { kind: 'unavailable', reason: 'manager away' };

/** A manager that voted by `VOTE`, and holds the payload with the state. */
class Manager implements SharedStates {
  away: keyof SharedStates | undefined;
  payload: PrivatePayload | undefined;
  parties = [SENDER];

  async isOwnVote(vote: PayloadHash, management: Address): Promise<Known<boolean>> {
    return this.away === 'isOwnVote' ? AWAY : known(vote === VOTE && management === MANAGEMENT);
  }

  async findState(hash: PayloadHash): Promise<Known<PrivatePayload | undefined>> {
    return this.away === 'findState' ? AWAY : known(hash === STATE ? this.payload : undefined);
  }

  async partiesOf(hash: PayloadHash) {
    return this.away === 'partiesOf' ? AWAY : known(hash === CREATION ? this.parties : []);
  }
}

const storageRoot = async ({ key, changedSlots, world }: Account): Promise<Hash> => {
  const pending = changedSlots.map(({ key: slot, value }) => ({ slot, value }));
  return parseHash((world.source as MemorySource).storageRoot(key, pending));
};

const newWorld = () => new World(new MemorySource({}), new Journal(), new CodeCache());
const accountOf = (world: World, address = CONTRACT) => world.account(wordFromAddress(address)) as Account;
const slotOf = (index: number): Hash => parseHash(`0x${index.toString(16).padStart(64, '0')}`);

/** Slot 0 to 2 hold 5 to 7. */
async function stateOf(more: Partial<SharedState> = {}): Promise<SharedState> {
  const storage = new Map([0, 1, 2].map((index): [Hash, Hex] => [slotOf(index), `0x0${index + 5}`]));
  const scratch = accountOf(newWorld());
  for (const [slot, value] of storage) {
    const loaded = scratch.world.slot(scratch, wordFromBytes(bytesFromHex(slot)));
    if (loaded !== undefined) scratch.setSlot(loaded, wordFromBytes(bytesFromHex(value)));
  }
  const root = await storageRoot(scratch);
  const account = { nonce: 3n, balance: 0n, code: CODE, codeHash: keccakHash(CODE), storageRoot: root };
  return { ...account, storage, ...more };
}

function payloadOf(data: Uint8Array, more: Partial<PrivatePayload> = {}): PrivatePayload {
  const parties = { sender: SENDER, managedParties: [SENDER] };
  return { data, privacyFlag: 0, affectedCreations: new Set<PayloadHash>(), ...parties, ...more };
}

function shareLog(contract = CONTRACT, state = STATE, vote = VOTE, address = MANAGEMENT): Log {
  const base64 = Buffer.from(bytesFromHex(state)).toString('base64');
  const { topics, data } = EVENTS.encodeEventLog('StateShared', [contract, base64, vote]);
  return { address, topics: topics.map(parseHash), data: bytesFromHex(data as Hex) };
}

function rowOf(management: Address, contract: Address): StoredExtension {
  const keys = { recipientKey: STRANGER, creation: new Uint8Array(64) };
  const own = { isInitiator: false, isRecipient: true };
  return { management, contract, initiator: OTHER, recipient: OTHER, ...keys, ...own };
}

/** Of a transaction that emitted the log. */
function resultWith(log: Log): PrivateResult {
  const receipt = {
    status: 1,
    logs: [log],
    logsBloom: new Uint8Array(256),
    returnData: new Uint8Array(0),
    gasUsed: 0n,
    entered: [],
  } as const;
  const hash = slotOf(7);
  return { index: 0, hash, receipt, transaction: { hash, raw: new Uint8Array(0), sender: OTHER } };
}

let manager: Manager;
let publicWorld: World;
let world: World;
let extensions: PendingExtensions;
let metadata: PendingMetadata;
let before: Map<Address, PrivacyMetadata>;
beforeEach(async () => {
  manager = new Manager();
  manager.payload = payloadOf(encodeSharedState(CONTRACT, await stateOf()));
  world = newWorld();
  publicWorld = newWorld();
  extensions = new PendingExtensions({
    findContract: async (management) => (management === MANAGEMENT ? CONTRACT : undefined),
  });
  before = new Map();
  metadata = new PendingMetadata({ find: async () => before });
});

const apply = (...logs: readonly Log[]) =>
  applySharedStates(
    { publicWorld, privateWorld: world, metadata, roots: { storageRoot }, sharedStates: manager, extensions },
    logs,
  );

/** The current state of the contract. */
async function described() {
  const account = accountOf(world);
  return { nonce: account.nonce, codeHash: account.codeHash, root: await storageRoot(account) };
}

describe('a state that is shared with this node', () => {
  it('becomes the contract, whatever other shares the transaction logs', async () => {
    const { nonce, codeHash, storageRoot: root } = await stateOf();
    expect(await apply(shareLog(CONTRACT, STATE, hashOf(9)), shareLog(), shareLog())).toBeUndefined();
    expect(await described()).toEqual({ nonce, codeHash, root });
    expect(metadata.created).toEqual(new Map());
  });

  it('replaces the codeless account that a node has before it is a party, and stores the flag of the payload', async () => {
    accountOf(world).setNonce(1n);
    manager.payload = payloadOf(manager.payload?.data as Uint8Array, { privacyFlag: 2 });
    await apply(shareLog());
    expect((await described()).nonce).toBe(3n);
    expect(metadata.created).toEqual(new Map([[CONTRACT, { creation: STATE, privacyFlag: 2 }]]));
  });

  it('needs the root that its sender declared, with flag 3', async () => {
    const { storageRoot: executionRoot } = await stateOf();
    const { data } = manager.payload as PrivatePayload;
    for (const [wrong, isThere] of [
      [{}, false],
      [{ executionRoot: slotOf(1) }, false],
      [{ executionRoot }, true],
    ] as const) {
      manager.payload = payloadOf(data, { privacyFlag: 3, ...wrong });
      await apply(shareLog());
      expect(accountOf(world).exists).toBe(isThere);
    }
  });

  it.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
    ['is not JSON', () => Buffer.from('{')],
    ['is of another contract', async () => encodeSharedState(OTHER, await stateOf())],
    ['has no checksum in its address', async () => rewritten((text) => text.replace(/0x\w{40}/, CONTRACT))],
    ['has a second account', async () => rewritten((text) => text.replace(/}$/, `,"${OTHER}":{}}`))],
    [
      'has another code than its code hash',
      async () => encodeSharedState(CONTRACT, await stateOf({ code: Buffer.of(1) })),
    ],
    ['has no code', async () => encodeSharedState(CONTRACT, await stateOf({ code: Buffer.alloc(0) }))],
    [
      'has another storage than its storage root',
      async () => encodeSharedState(CONTRACT, await stateOf({ storageRoot: slotOf(1) })),
    ],
    ['lacks a slot', async () => rewritten((text) => text.replace(/"0x0+1":"06",/, ''))],
    [
      'has a slot too many',
      async () => rewritten((text) => text.replace('"storage":{', `"storage":{"${slotOf(8)}":"1",`)),
    ],
    [
      'has a negative balance',
      async () => rewritten((text) => text.replace('"balance":"0"', '"balance":"-1"')),
    ],
    [
      'is too large',
      async () => Buffer.concat([await rewritten((text) => text), Buffer.alloc(MAX_SHARED_STATE_BYTES, ' ')]),
    ],
  ])('leaves everything as it was when the payload %s', async (_what, make) => {
    manager.payload = payloadOf(await make());
    expect(await apply(shareLog())).toBeUndefined();
    expect(world.changes()).toEqual([]);
  });

  async function rewritten(change: (text: string) => string): Promise<Uint8Array> {
    const text = Buffer.from(encodeSharedState(CONTRACT, await stateOf())).toString();
    return Buffer.from(change(text));
  }

  it('is read as GoQuorum writes it, with 0x or without', async () => {
    manager.payload = payloadOf(
      await rewritten((text) => text.replace('"code":"', '"code":"0x').replace('"root":"', '"root":"0x')),
    );
    await apply(shareLog());
    expect(accountOf(world).exists).toBe(true);
  });

  it('is ignored without this node’s vote for the same management contract, or without the payload', async () => {
    await apply(shareLog(CONTRACT, STATE, hashOf(9)));
    await apply(shareLog(CONTRACT, STATE, VOTE, OTHER));
    await apply({ ...shareLog(), topics: [slotOf(1)] });
    manager.payload = undefined;
    await apply(shareLog());
    expect(world.changes()).toEqual([]);
  });

  it('is ignored for another contract than the management contract named at its creation', async () => {
    manager.payload = payloadOf(encodeSharedState(OTHER, await stateOf()));
    expect(await apply(shareLog(OTHER))).toBeUndefined();
    expect(world.changes()).toEqual([]);
  });

  it('is ignored from a management contract that has named no contract', async () => {
    extensions = new PendingExtensions({ findContract: async () => undefined });
    expect(await apply(shareLog())).toBeUndefined();
    expect(world.changes()).toEqual([]);
    extensions.note({ started: [rowOf(MANAGEMENT, CONTRACT)], finished: [] });
    await apply(shareLog());
    expect(accountOf(world).exists).toBe(true);
  });

  it('is applied once: its event ends the extension, so that a destroyed contract is not created again', async () => {
    const log = shareLog();
    await apply(log);
    expect(accountOf(world).exists).toBe(true);
    extensions.note(extensionChanges([resultWith(log)]));
    world = newWorld();
    expect(await apply(shareLog())).toBeUndefined();
    expect(world.changes()).toEqual([]);
  });

  it('does not hide a public contract at the address', async () => {
    accountOf(publicWorld).setCode(new Code(CODE));
    expect(await apply(shareLog())).toBeUndefined();
    expect(world.changes()).toEqual([]);
  });

  it('is applied among the first shares of a transaction only, so that events cannot keep the manager busy', async () => {
    const others = Array.from({ length: MAX_SHARES }, () => shareLog(CONTRACT, STATE, hashOf(9)));
    await apply(...others, shareLog());
    expect(world.changes()).toEqual([]);
    await apply(...others.slice(1), shareLog());
    expect(accountOf(world).exists).toBe(true);
  });

  it.each(['isOwnVote', 'findState'] as const)('waits while the manager cannot answer %s', async (away) => {
    manager.away = away;
    expect(await apply(shareLog())).toBe('manager away');
    expect(world.changes()).toEqual([]);
    manager.away = undefined;
    expect(await apply(shareLog())).toBeUndefined();
    expect(accountOf(world).exists).toBe(true);
  });
});

describe('a protected contract that this node has', () => {
  const own: PrivacyMetadata = { creation: CREATION, privacyFlag: 1 };
  beforeEach(() => {
    before.set(CONTRACT, own);
    accountOf(world).setCode(new Code(Buffer.from('6001', 'hex')));
    manager.payload = payloadOf(manager.payload?.data as Uint8Array, { privacyFlag: 1 });
  });
  const creation = async () => (await metadata.find([CONTRACT])).get(CONTRACT)?.creation;

  it('is identified by the payload with its state from then on, and keeps its state', async () => {
    expect(await apply(shareLog(CONTRACT, STATE, hashOf(9)), shareLog(CONTRACT, hashOf(8)))).toBeUndefined();
    expect(await creation()).toBe(STATE);
    expect(hexFromBytes(accountOf(world).code?.bytes ?? CODE)).toBe('0x6001');
  });

  it('keeps its payload when the sender is not a party, the flag differs, or the payload is not a state of it', async () => {
    const { data } = manager.payload as PrivatePayload;
    const wrong = [
      payloadOf(data, { privacyFlag: 1, sender: STRANGER }),
      payloadOf(data, { privacyFlag: 2 }),
      payloadOf(encodeSharedState(OTHER, await stateOf()), { privacyFlag: 1 }),
      undefined,
    ];
    for (const payload of wrong) {
      manager.payload = payload;
      expect(await apply(shareLog())).toBeUndefined();
      expect(await creation()).toBe(CREATION);
    }
  });

  it.each(['findState', 'partiesOf'] as const)('waits while the manager cannot answer %s', async (away) => {
    manager.away = away;
    expect(await apply(shareLog())).toBe('manager away');
    expect(await creation()).toBe(CREATION);
  });

  it('without protection has no creation payload to replace', async () => {
    before.clear();
    expect(await apply(shareLog())).toBeUndefined();
    expect(metadata.created).toEqual(new Map());
  });
});
