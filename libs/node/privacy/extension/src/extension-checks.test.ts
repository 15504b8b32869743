import { describe, expect, it } from '@jest/globals';
import { CodeCache, Journal, MemorySource, World } from '@tetrad/node-evm';
import type { WorldState } from '@tetrad/node-execution';
import type { HeadWorlds } from '@tetrad/node-transactions';
import { payloadHash, type PrivacyMetadata } from '@tetrad/node-private-state';
import { ZERO_ADDRESS, parseAddress, parsePtmKey, type Address } from '@tetrad/types';
import { assertExtensible, type ExtensionRequest } from './extension-checks.js';

const CONTRACT = parseAddress('0x00000000000000000000000000000000000000c1');
const FROM = parseAddress('0x00000000000000000000000000000000000000f1');
const RECIPIENT = parseAddress('0x00000000000000000000000000000000000000f2');
const KEY = parsePtmKey('BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo=');
const OTHER = parsePtmKey('QfeDAys9MPDs2XHExtc84jKGHxZg/aj52DTh0vtA3Xc=');
const METADATA: PrivacyMetadata = { creation: payloadHash(Buffer.alloc(64, 1)), privacyFlag: 1 };

/** A node on which the extension passes all checks, with the changes of a test. */
interface Situation {
  readonly isBegun: boolean;
  readonly isExtending: boolean;
  readonly isPublic: boolean;
  readonly hasCode: boolean;
  readonly isSender: boolean;
  readonly notAdmin: Address | undefined;
  readonly accounts: readonly Address[];
  readonly slots: number;
  readonly metadata: PrivacyMetadata | undefined;
}

const USUAL: Situation = {
  isBegun: false,
  isExtending: false,
  isPublic: false,
  hasCode: true,
  isSender: true,
  slots: 1,
  notAdmin: undefined,
  accounts: [FROM],
  metadata: METADATA,
};
const REQUEST: ExtensionRequest = {
  contract: CONTRACT,
  newRecipientKey: KEY,
  recipient: RECIPIENT,
  txArgs: { from: FROM, privateFor: [KEY] },
};

function worldOf(exists: boolean, journal: Journal): World {
  const account = { code: '0x00', nonce: '0x1' };
  return new World(new MemorySource(exists ? { [CONTRACT]: account } : {}), journal, new CodeCache());
}

function partsOf(situation: Situation) {
  const journal = new Journal();
  const [publicWorld, privateWorld] = [situation.isPublic, situation.hasCode].map((exists) =>
    worldOf(exists, journal),
  );
  const { metadata } = situation;
  const find = async () => new Map(metadata === undefined ? [] : [[CONTRACT, metadata]]);
  const worlds = { publicWorld, privateWorld, metadata: { find } } as unknown as HeadWorlds;
  const readAll = async (most: number) =>
    situation.slots > most
      ? undefined
      : Array.from({ length: situation.slots }, () => ({ key: Buffer.alloc(32), value: Buffer.from([1]) }));
  const world = {
    findAccount: async () => ({
      balance: 0n,
      nonce: 1n,
      codeHash: `0x${'01'.repeat(32)}`,
      storageRoot: `0x${'02'.repeat(32)}`,
    }),
    readCode: async () => new Uint8Array([0]),
    storageTrie: () => ({ readAll }),
    findPreimage: async () => undefined,
  };
  return {
    store: { isExtending: async () => situation.isExtending },
    manager: {
      isSender: async () => ({ kind: 'found', value: situation.isSender }),
      participants: async () => ({ kind: 'found', value: [KEY, OTHER] }),
    } as never,
    head: { run: <T>(work: (at: HeadWorlds) => Promise<T>) => work(worlds) },
    admins: { isAdmin: async (account: Address) => account !== situation.notAdmin },
    accounts: () => situation.accounts,
    privateHead: async () => ({ ...world, settled: async () => world }) as unknown as WorldState,
  };
}

type Wrong = Partial<Situation> & { readonly request?: Partial<ExtensionRequest> };

function check(wrongs: readonly Wrong[]) {
  const situation = Object.assign({}, USUAL, ...wrongs) as Situation;
  const requests = wrongs.map((one) => one.request ?? {});
  const txArgs: unknown = Object.assign({}, REQUEST.txArgs, ...requests.map((one) => one.txArgs ?? {}));
  const request = Object.assign({}, REQUEST, ...requests, { txArgs }) as ExtensionRequest;
  return assertExtensible(partsOf(situation), request, situation.isBegun);
}

/** Faults in the order of the checks, with message and reason. Source: docs/spec/contract-extension.md#beginning */
const CHECKS: readonly (readonly [Wrong, string, string])[] = [
  [
    { isExtending: true },
    'contract extension in progress for the given contract address',
    'EXTENSION_IN_PROGRESS',
  ],
  [{ isPublic: true }, 'extending a public contract!!! not allowed', 'NOT_A_PRIVATE_CONTRACT'],
  [{ request: { recipient: ZERO_ADDRESS } }, 'invalid recipient address', 'INVALID_RECIPIENT'],
  [{ hasCode: false }, 'extending a non-existent private contract!!! not allowed', 'NOT_A_PRIVATE_CONTRACT'],
  [{ isSender: false }, 'operation not allowed', 'NOT_THE_CONTRACT_CREATOR'],
  [
    { request: { recipient: FROM } },
    'account accepting the extension cannot be the account initiating extension',
    'INVALID_RECIPIENT',
  ],
  [{ notAdmin: FROM }, 'account not an org admin account, cannot initiate extension', 'NOT_AN_ADMIN_ACCOUNT'],
  [
    { notAdmin: RECIPIENT },
    'recipient account address is not an org admin account. cannot accept extension',
    'NOT_AN_ADMIN_ACCOUNT',
  ],
  [
    { request: { newRecipientKey: 'no key' } },
    'invalid new recipient transaction manager key provided',
    'INVALID_RECIPIENT_PTM_KEY',
  ],
  [
    { request: { txArgs: { from: FROM, privateFor: [OTHER] } } },
    'mismatch between recipient transaction manager key and privateFor argument',
    'RECIPIENT_PTM_KEY_MISMATCH',
  ],
  [{ accounts: [] }, `no wallet found for account ${FROM}`, 'UNKNOWN_ACCOUNT'],
  [
    { slots: 100_001 },
    'the state of the contract is more than 7340032 bytes or 100000 slots, and cannot be shared',
    'STORAGE_TOO_LARGE',
  ],
];

/** Whether two faults cannot be combined, because both change the same value. */
const excludes = (first: Wrong, second: Wrong) =>
  Object.keys(first).some((key) => key !== 'request' && key in second) ||
  (first.request?.recipient !== undefined && second.request?.recipient !== undefined) ||
  (first.request?.recipient === FROM && second.notAdmin === RECIPIENT);

describe('a requested extension', () => {
  it.each(CHECKS)('is refused for %j: %s', async (wrong, message, reason) => {
    await expect(check([wrong])).rejects.toMatchObject({ message, code: reason });
  });

  it('is refused for the first of two faults', async () => {
    let pairs = 0;
    for (const [index, [first, message]] of CHECKS.entries()) {
      for (const [second] of CHECKS.slice(index + 1)) {
        if (excludes(first, second)) continue;
        pairs++;
        await expect(check([first, second])).rejects.toMatchObject({ message });
      }
    }
    expect(pairs).toBeGreaterThan(50);
  });

  it('is refused when another one was sent and is not in a block yet, and when privateFor names several keys', async () => {
    await expect(check([{ isBegun: true }])).rejects.toMatchObject({ code: 'EXTENSION_IN_PROGRESS' });
    await expect(
      check([{ request: { txArgs: { from: FROM, privateFor: [KEY, OTHER] } } }]),
    ).rejects.toMatchObject({
      message: 'invalid transaction manager keys given in privateFor argument',
      code: 'RECIPIENT_PTM_KEY_MISMATCH',
    });
  });

  it('of a protected contract is sent to all of its parties, of any other to the recipient only', async () => {
    expect(await check([])).toEqual({ recipientKey: KEY, privateFor: [KEY, OTHER] });
    expect(await check([{ metadata: undefined, isSender: false }])).toEqual({
      recipientKey: KEY,
      privateFor: [KEY],
    });
    const unnamed = { request: { txArgs: { from: FROM, privateFor: [] } } };
    expect((await check([unnamed])).recipientKey).toBe(KEY);
  });
});
