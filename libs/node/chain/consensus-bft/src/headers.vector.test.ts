import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, encodeSignature65, keccakHash, signDigest } from '@tetrad/crypto';
import { EMPTY_OMMERS_HASH, EMPTY_ROOT, decodeHeader, encodeHeader } from '@tetrad/node-block';
import {
  ZERO_ADDRESS,
  ZERO_HASH,
  bytesFromHex,
  hashToBytes,
  hexFromBytes,
  parseHash,
  type BlockHeader,
} from '@tetrad/types';
import {
  hashHeader,
  ibftBlockHash,
  ibftCommitDigest,
  ibftProposerDigest,
  ibftSealHash,
  qbftBlockHash,
  qbftCommitDigest,
} from './block-hash.js';
import { bftRules } from './bft-rules.js';
import { encodeIbftExtraData } from './ibft-extra-data.js';
import { ISTANBUL_MIX_HASH } from './params.js';
import { encodeQbftExtraData } from './qbft-extra-data.js';
import { LIST_OF_V, NO_SEAL, VANITY } from '../test/cast/reference-validators.js';

const hex = (bytes: Uint8Array) => hexFromBytes(bytes).slice(2);
const key = (scalar: number) => bytesFromHex(`0x${scalar.toString(16).padStart(64, '0')}`);
const seal = (digest: Uint8Array, scalar: number) => encodeSignature65(signDigest(digest, key(scalar)));

describe('2: a header with only mixHash and extra data', () => {
  const header: BlockHeader = {
    parentHash: ZERO_HASH,
    ommersHash: ZERO_HASH,
    beneficiary: ZERO_ADDRESS,
    stateRoot: ZERO_HASH,
    transactionsRoot: ZERO_HASH,
    receiptsRoot: ZERO_HASH,
    logsBloom: new Uint8Array(256),
    difficulty: 0n,
    number: 0,
    gasLimit: 0n,
    gasUsed: 0n,
    timestamp: 0n,
    extraData: bytesFromHex(`0x${'00'.repeat(32)}f89af854${LIST_OF_V}b841${'00'.repeat(65)}c0`),
    mixHash: ISTANBUL_MIX_HASH,
    nonce: new Uint8Array(8),
  };

  it('has the published hash', () => {
    expect(hashHeader(header)).toBe('0xcefefd3ade63a5955bca4562ed840b67f39e74df217f7e5f7241a6e9552cca70');
  });

  it('is hashed unchanged when the extra data is of neither format', () => {
    const extraData = Buffer.concat([header.extraData, Uint8Array.of(1, 2, 3)]);
    const changed = { ...header, extraData };
    expect(hashHeader(changed)).toBe(keccakHash(encodeHeader(changed)));
  });
});

/** The header of vectors 7 and 9; A1…A4 are the addresses of keys 1…4. */
const validators = [4, 2, 3, 1].map((scalar) => addressFromPrivateKey(key(scalar)));
const base: BlockHeader = {
  parentHash: parseHash(`0x${'11'.repeat(32)}`),
  ommersHash: EMPTY_OMMERS_HASH,
  beneficiary: ZERO_ADDRESS,
  stateRoot: parseHash(`0x${'22'.repeat(32)}`),
  transactionsRoot: EMPTY_ROOT,
  receiptsRoot: EMPTY_ROOT,
  logsBloom: new Uint8Array(256),
  difficulty: 1n,
  number: 1,
  gasLimit: 0xf7b760n,
  gasUsed: 0n,
  timestamp: 1600000000n,
  extraData: new Uint8Array(0),
  mixHash: ISTANBUL_MIX_HASH,
  nonce: new Uint8Array(8),
};

const PROPOSER_SEAL =
  '5a2b4efe789d09b8d374b5e3587fb65f59a723e96d517819be46710937c137ea2527e42fe374a7d0c23b12a2c4f5af53e1cd20e7db91ac1a509fa44aecaeafb501';
const COMMITTED_SEALS = [
  '22b274ed8a343e1ac00ba92924f54b3bf0db9590896ed287aa3f50f60bfc0a892ac6889a9e2043717ebce4a54f9f08a1d5aa590d7cc16d5c6f3b70707cdce8a000',
  '51c2167c708c14c5206c1f012e1e07d2154c44a7dd10ec21338558184625272a1c356142f202ca7fb616df2f1640e07fa84681498a3f278d72f2031caf3da9ae00',
  'e24de1bbe2724b53cbdf11d8fddaacc27d5454d1e6f2d5dfe91543743bddc5f1385caf2ae3dc2e0c6578b4c37db44681f079ad3f360f601ff9bf03db900b024900',
];
/** By round. */
const QBFT_SEALS = new Map([
  [
    0,
    '64e28942809e957dcf0d3edd6968fead9393b5bc1ba97b389ac111315f83f0ea26ca5e1fb3be36e8e939caf15cb5c002696b65e7b38a27720287a738c75b756e00',
  ],
  [
    2,
    'e6535a92c7644c6a7e3fa991b679e975d01278c01290e6317744d6e27db300fa5d1056382a14fa8322ffc34a67d6d5dcb334ee63736ea850638c6e88452034c301',
  ],
]);

describe('7: IBFT header, seals by keys 1, 2 and 3', () => {
  const unsealed = { vanity: VANITY, validators, proposerSeal: NO_SEAL, committedSeals: [] };
  const sealHash = ibftSealHash(base, unsealed);
  const proposed = { ...unsealed, proposerSeal: seal(ibftProposerDigest(sealHash), 1) };
  const blockHash = ibftBlockHash(base, proposed);
  const commit = ibftCommitDigest(blockHash);
  const full = { ...proposed, committedSeals: [1, 2, 3].map((scalar) => seal(commit, scalar)) };

  it('has the published seal hash, proposer seal and block hash', () => {
    expect(sealHash).toBe('0x16a8dd14814066dc4c9c60f95a82a30dd64d9f54c6d1cd6d666cc7c53ad5f402');
    expect(hex(ibftProposerDigest(sealHash))).toBe(
      'ff12b6cfc84c01228687290da52c6e72a124b9e5ce7f4601f0f31b3ade56800e',
    );
    expect(hex(proposed.proposerSeal)).toBe(PROPOSER_SEAL);
    expect(blockHash).toBe('0x7b81dfdbbf5aed2274fee865837941f5d388c14f1f22163eaabffde8b8aad6d1');
    expect(hashHeader({ ...base, extraData: encodeIbftExtraData(full) })).toBe(blockHash);
  });

  it('has the published committed seals', () => {
    expect(hex(commit)).toBe('86ab5fa8612348d5a3bcada8258f274d29677dc5e99099a783f6c9dea4f49698');
    expect(full.committedSeals.map(hex)).toEqual(COMMITTED_SEALS);
    const extra = encodeIbftExtraData(full);
    expect(extra).toHaveLength(391);
    expect(keccakHash(extra)).toBe('0xd865726021e986ed7253e7742267bac7e6deef6f6b580289eed5fcf530781495');
  });
});

describe('7, the other way: the published header of IBFT', () => {
  const published = (seals: readonly string[], proposer = PROPOSER_SEAL): BlockHeader => ({
    ...base,
    extraData: encodeIbftExtraData({
      vanity: VANITY,
      validators,
      proposerSeal: bytesFromHex(`0x${proposer}`),
      committedSeals: seals.map((text) => bytesFromHex(`0x${text}`)),
    }),
  });

  it('is by key 1 and sealed by keys 1, 2 and 3, in their order', () => {
    const copy = decodeHeader(encodeHeader(published(COMMITTED_SEALS)));
    const rules = bftRules('ibft');
    expect(rules.validatorsOf(copy)).toEqual(validators);
    expect(rules.proposerOf(copy)).toBe(addressFromPrivateKey(key(1)));
    expect(rules.committersOf(copy)).toEqual([1, 2, 3].map((scalar) => addressFromPrivateKey(key(scalar))));
    expect(hashHeader(copy)).toBe('0x7b81dfdbbf5aed2274fee865837941f5d388c14f1f22163eaabffde8b8aad6d1');
  });

  it('loses the seals of these validators when a seal or the header is changed', () => {
    const rules = bftRules('ibft');
    const known = new Set(validators);
    const [first = '', second = '', third = ''] = COMMITTED_SEALS;
    const changed = `${first.slice(0, 40)}${first[40] === '0' ? '1' : '0'}${first.slice(41)}`;
    const committers = attemptAll(() => rules.committersOf(published([changed, second, third])));
    expect(committers.filter((one) => known.has(one as never)).length).toBeLessThan(3);
    const other = { ...published(COMMITTED_SEALS), stateRoot: ZERO_HASH };
    expect(attemptAll(() => rules.committersOf(other)).some((one) => known.has(one as never))).toBe(false);
    expect(attemptAll(() => [rules.proposerOf(other)]).some((one) => known.has(one as never))).toBe(false);
  });
});

/** @returns an empty list when a signature is impossible */
function attemptAll(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

describe('9: QBFT header, proposer A1, no vote', () => {
  const header = { ...base, beneficiary: addressFromPrivateKey(key(1)) };
  const extra = { vanity: VANITY, validators, round: 0, committedSeals: [] };

  it('has the published block hash, which is the commit digest of round 0', () => {
    const blockHash = qbftBlockHash(header, extra);
    expect(blockHash).toBe('0x33bed65ac3da34121056698845e05c0487e61e481d780cd0f4ed1af96d624e12');
    expect(qbftCommitDigest(header, extra)).toEqual(Buffer.from(hashToBytes(blockHash)));
    const sealed = { ...extra, round: 2, committedSeals: [seal(hashToBytes(blockHash), 1)] };
    expect(hashHeader({ ...header, extraData: encodeQbftExtraData(sealed) })).toBe(blockHash);
  });

  it('has the published committed seals of rounds 0 and 2', () => {
    expect(hex(seal(qbftCommitDigest(header, extra), 1))).toBe(QBFT_SEALS.get(0));
    const second = qbftCommitDigest(header, { ...extra, round: 2 });
    expect(hex(second)).toBe('e79dd448b4859127523e124decb5d53e6ddece6e431514568c883285096e58f0');
    expect(hex(seal(second, 1))).toBe(QBFT_SEALS.get(2));
  });

  it('is sealed by key 1 in the round of its seal, and in no other', () => {
    const sealedIn = (round: number, text: string): BlockHeader => ({
      ...header,
      extraData: encodeQbftExtraData({ ...extra, round, committedSeals: [bytesFromHex(`0x${text}`)] }),
    });
    const rules = bftRules('qbft');
    const byKey1 = [addressFromPrivateKey(key(1))];
    for (const [round, text] of QBFT_SEALS) {
      const copy = decodeHeader(encodeHeader(sealedIn(round, text)));
      expect(rules.proposerOf(copy)).toBe(byKey1[0]);
      expect(rules.validatorsOf(copy)).toEqual(validators);
      expect(rules.committersOf(copy)).toEqual(byKey1);
      expect(hashHeader(copy)).toBe('0x33bed65ac3da34121056698845e05c0487e61e481d780cd0f4ed1af96d624e12');
      expect(attemptAll(() => rules.committersOf(sealedIn(round + 1, text)))).not.toEqual(byKey1);
    }
  });

  it('is read back from its encoding, also with the fields of later forks', () => {
    const sealed = { ...header, extraData: encodeQbftExtraData(extra) };
    const later = {
      ...sealed,
      baseFeePerGas: 0n,
      withdrawalsRoot: EMPTY_ROOT,
      blobGasUsed: 0n,
      excessBlobGas: 0n,
      parentBeaconBlockRoot: ZERO_HASH,
      requestsHash: ZERO_HASH,
    };
    for (const one of [sealed, later]) {
      const copy = decodeHeader(encodeHeader(one));
      expect(hex(encodeHeader(copy))).toBe(hex(encodeHeader(one)));
      expect(copy.number).toBe(1);
    }
  });
});

describe('10: the digests of QBFT messages', () => {
  it('a PREPARE signing payload is signed by key 1 as published', () => {
    const payload = bytesFromHex(
      '0xe513e30180a033bed65ac3da34121056698845e05c0487e61e481d780cd0f4ed1af96d624e12',
    );
    expect(hex(seal(hashToBytes(keccakHash(payload)), 1))).toBe(
      'fde8538c496307454d4080780f7e4f14ce0f256dae9a02bdce63c0dc4a47593e40fbd0a8f33b68f5db1da18ee4c2598a29a27690a24fe8d023b3a1c7b423983c00',
    );
  });
});
