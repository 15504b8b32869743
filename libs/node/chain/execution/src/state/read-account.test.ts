import { RLP } from '@ethereumjs/rlp';
import { verifyMerkleProof } from '@ethereumjs/mpt';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { keccak256 } from '@tetrad/crypto';
import {
  addressToBytes,
  bytesFromHex,
  hashToBytes,
  hexFromBytes,
  parseAddress,
  type Hash,
} from '@tetrad/types';
import { Chain } from '../testing/chain.js';
import { WorldEditor } from '../testing/edit-world.js';
import { dumpAccount, proveAccount, readSlot, readStorageRoot, type AccountProof } from './read-account.js';

const CONTRACT = parseAddress(`0x${'c7'.repeat(20)}`);
const ABSENT = parseAddress(`0x${'ab'.repeat(20)}`);
const slot = (value: number) => bytesFromHex(`0x${value.toString(16).padStart(64, '0')}`);
const storage = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`0x${index.toString(16)}`, `0x${(index + 1).toString(16)}`]),
);

/** What EthereumJS' verifier reads from the proof; null when it proves absence. */
async function verified(
  root: Hash,
  key: Uint8Array,
  proof: readonly Uint8Array[],
): Promise<Uint8Array | null> {
  return verifyMerkleProof(keccak256(key), [...proof], { root: hashToBytes(root) } as never).catch(
    async () => {
      throw new Error('the proof does not verify');
    },
  );
}

describe('proveAccount', () => {
  let chain: Chain;
  let root: Hash;

  beforeEach(async () => {
    chain = await Chain.start({
      alloc: { [CONTRACT]: { balance: '0x5', nonce: '0x1', code: '0x00', storage } },
    });
    root = (await chain.world.commitBlock()).stateRoot;
  });

  it('proves the account and its slots to an independent verifier', async () => {
    const proof: AccountProof = await proveAccount(chain.world, CONTRACT, [slot(3), slot(99)]);
    const account = await verified(root, addressToBytes(CONTRACT), proof.accountProof);
    const [nonce, balance, storageRoot, codeHash] = RLP.decode(account as Uint8Array) as Uint8Array[];
    expect([nonce, balance].map((bytes) => hexFromBytes(bytes as Uint8Array))).toEqual(['0x01', '0x05']);
    expect(hexFromBytes(storageRoot as Uint8Array)).toBe(proof.storageRoot);
    expect(hexFromBytes(codeHash as Uint8Array)).toBe(proof.codeHash);
    const [present, absent] = proof.storageProof;
    expect(present?.value).toBe(4n);
    expect(
      hexFromBytes((await verified(proof.storageRoot, slot(3), present?.proof ?? [])) as Uint8Array),
    ).toBe('0x04');
    expect(absent?.value).toBe(0n);
    expect(await verified(proof.storageRoot, slot(99), absent?.proof ?? [])).toBeNull();
  });

  it('proves the absence of an account', async () => {
    const proof = await proveAccount(chain.world, ABSENT, [slot(0)]);
    expect(proof).toMatchObject({ balance: 0n, nonce: 0n });
    expect(await verified(root, addressToBytes(ABSENT), proof.accountProof)).toBeNull();
    expect(proof.storageProof).toEqual([{ slot: slot(0), value: 0n, proof: [] }]);
  });

  it('sees changes that are not stored yet', async () => {
    const pending = chain.world.copy();
    await new WorldEditor(pending).putSlot(CONTRACT, slot(3), Uint8Array.of(0xff));
    const proof = await proveAccount(pending, CONTRACT, [slot(3)]);
    expect(proof.storageProof[0]?.value).toBe(255n);
    expect(proof.storageRoot).not.toBe(await readStorageRoot(chain.world, CONTRACT));
    expect(proof.storageRoot).toBe(await readStorageRoot(pending, CONTRACT));
    const changed = (await pending.commitBlock()).stateRoot;
    expect(await verified(changed, addressToBytes(CONTRACT), proof.accountProof)).not.toBeNull();
    expect(hexFromBytes(await readSlot(pending, CONTRACT, slot(3)))).toBe(`0x${'00'.repeat(31)}ff`);
  });
});

describe('dumpAccount', () => {
  it('lists every slot by its own number, values without leading zero bytes', async () => {
    const chain = await Chain.start({
      alloc: { [CONTRACT]: { balance: '0x5', storage: { '0x1': '0x0100', '0x2': '0x7' } } },
    });
    const dump = await dumpAccount(chain.world, CONTRACT, 10);
    expect(dump).toMatchObject({
      balance: 5n,
      nonce: 0n,
      storage: { [hexFromBytes(slot(1))]: '0100', [hexFromBytes(slot(2))]: '07' },
    });
    const pending = chain.world.copy();
    await new WorldEditor(pending).putSlot(CONTRACT, slot(2), new Uint8Array(0));
    expect(await dumpAccount(pending, CONTRACT, 10)).toMatchObject({
      storage: { [hexFromBytes(slot(1))]: '0100' },
    });
  });

  it('refuses to list more slots than the limit, and reports a missing account', async () => {
    const chain = await Chain.start({ alloc: { [CONTRACT]: { storage } } });
    expect(await dumpAccount(chain.world, CONTRACT, 39)).toBe('tooLarge');
    expect(await dumpAccount(chain.world, ABSENT, 39)).toBeUndefined();
  });
});
