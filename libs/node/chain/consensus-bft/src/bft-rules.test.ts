import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, encodeSignature65, signDigest } from '@tetrad/crypto';
import { EMPTY_OMMERS_HASH, EMPTY_ROOT } from '@tetrad/node-block';
import { ZERO_ADDRESS, ZERO_HASH, parseHash, type BlockHeader } from '@tetrad/types';
import { bftRules, namesValidators, verifyHeader, type VerifyHeaderRequest } from './bft-rules.js';
import { hashHeader } from './block-hash.js';
import { commitDigest, committedHeader, type ProposalHeaderRequest } from './block-sealing.js';
import { sealedProposal } from '../test/sealed-proposal.js';
import { ISTANBUL_MIX_HASH } from './params.js';
import { faultTolerance, legacyQuorumOf, quorumOf } from './quorum.js';

const privateKey = Buffer.alloc(32, 7);
const validator = addressFromPrivateKey(privateKey);
const stranger = Buffer.alloc(32, 8);

function header(changes: Partial<BlockHeader> = {}): BlockHeader {
  return {
    parentHash: ZERO_HASH,
    ommersHash: EMPTY_OMMERS_HASH,
    beneficiary: ZERO_ADDRESS,
    stateRoot: EMPTY_ROOT,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: new Uint8Array(256),
    difficulty: 1n,
    number: 1,
    gasLimit: 1_000_000n,
    gasUsed: 0n,
    timestamp: 1000n,
    extraData: new Uint8Array(0),
    mixHash: ISTANBUL_MIX_HASH,
    nonce: new Uint8Array(8),
    ...changes,
  };
}

interface SealedAlone extends ProposalHeaderRequest {
  readonly privateKey: Uint8Array;
}

/** The header with the seals of one validator: proposer and whole quorum in one. */
function sealedAlone({ privateKey: key, ...request }: SealedAlone): BlockHeader {
  const proposed = sealedProposal(request, key);
  const digest = commitDigest(request.format, proposed, 0);
  const seal = encodeSignature65(signDigest(digest, key));
  return committedHeader(request.format, proposed, { round: 0, seals: [seal] });
}

describe.each(['qbft', 'ibft'] as const)('header rules of %s', (engine) => {
  const rules = bftRules(engine);
  const parentHeader = header({ number: 0, timestamp: 999n, extraData: rules.genesisExtraData([validator]) });
  const parent = { hash: hashHeader(parentHeader), header: parentHeader };

  const sealed = (changes: Partial<BlockHeader> = {}, key: Uint8Array = privateKey) =>
    sealedAlone({
      format: engine,
      header: header({ parentHash: parent.hash, ...changes }),
      proposer: addressFromPrivateKey(key),
      validators: [validator],
      privateKey: key,
      vanity: Buffer.from('tetrad'),
    });
  const request = (one: BlockHeader, changes: Partial<VerifyHeaderRequest> = {}): VerifyHeaderRequest => ({
    rules,
    header: one,
    parent,
    validators: [validator],
    now: 1000,
    allowedFutureSeconds: 0,
    periodSeconds: 1,
    legacyQuorum: false,
    ...changes,
  });

  it('accepts what the only validator sealed, and knows who proposed and committed', () => {
    const one = sealed();
    expect(() => verifyHeader(request(one))).not.toThrow();
    expect(rules.proposerOf(one)).toBe(validator);
    expect(rules.committersOf(one)).toEqual([validator]);
    expect(namesValidators(rules, one, [validator])).toBe(true);
    expect(namesValidators(rules, one, [])).toBe(false);
  });

  it.each([
    ['block in the future', { timestamp: 1001n }],
    ['invalid Istanbul mix digest', { mixHash: parseHash(`0x${'12'.repeat(32)}`) }],
    ['non empty uncle hash', { ommersHash: ZERO_HASH }],
    ['invalid difficulty', { difficulty: 2n }],
    ['unknown ancestor', { parentHash: ZERO_HASH }],
    ['unknown ancestor', { number: 2 }],
    ['invalid timestamp', { timestamp: 999n }],
  ])('refuses with `%s`', (text, changes) => {
    expect(() => verifyHeader(request(sealed(changes)))).toThrow(text);
  });

  it('refuses the proposal of a stranger', () => {
    expect(() => verifyHeader(request(sealed({}, stranger)))).toThrow('unauthorized');
  });

  it('demands the quorum, from validators, each once', () => {
    const two = [validator, addressFromPrivateKey(stranger)];
    expect(() => verifyHeader(request(sealed(), { validators: two }))).toThrow('invalid committed seals');
    expect(() => verifyHeader(request(sealed(), { validators: two, legacyQuorum: true }))).not.toThrow();
  });

  it('refuses malformed extra data', () => {
    expect(() => verifyHeader(request({ ...sealed(), extraData: new Uint8Array(40) }))).toThrow(
      'invalid extra data format',
    );
  });

  it('refuses a header that was changed after it was sealed', () => {
    const changed = { ...sealed(), stateRoot: ZERO_HASH };
    expect(() => verifyHeader(request(changed))).toThrow(
      /unauthorized|invalid committed seals|invalid signature/,
    );
  });
});

describe('quorum sizes', () => {
  // The table of docs/spec/bft.md#sizes.
  it.each([
    [1, 0, 1, 1],
    [2, 0, 1, 2],
    [3, 0, 1, 2],
    [4, 1, 3, 3],
    [5, 1, 3, 4],
    [6, 1, 3, 4],
    [7, 2, 5, 5],
    [8, 2, 5, 6],
    [9, 2, 5, 6],
    [10, 3, 7, 7],
  ])('of %i validators', (validators, faulty, legacy, ceil) => {
    expect([faultTolerance(validators), legacyQuorumOf(validators), quorumOf(validators)]).toEqual([
      faulty,
      legacy,
      ceil,
    ]);
  });

  it('make two quorums share an honest validator, and no larger than that takes (I28)', () => {
    for (let validators = 4; validators <= 1_000; validators++) {
      const [twice, faulty] = [2 * quorumOf(validators), faultTolerance(validators)];
      expect([validators, twice > validators + faulty, twice <= validators + faulty + 2]).toEqual([
        validators,
        true,
        true,
      ]);
    }
  });
});
