import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  FIELD_MODULUS,
  GROUP_ORDER,
  modulo,
  multiplyGenerator,
  sign,
  signatureChallenge,
  verifySignature,
  type Point,
  type Signature,
} from '@tetrad/rollup-crypto';
import fc from 'fast-check';
import { describeWithAnvil } from './anvil-chain.js';
import { EvmContract } from './evm-contract.js';

const scalar = fc.oneof(
  fc.constantFrom(1n, 2n, 3n, GROUP_ORDER - 1n, GROUP_ORDER - 2n, GROUP_ORDER >> 1n),
  fc.bigInt({ min: 1n, max: GROUP_ORDER - 1n }),
);
const message = fc.bigInt({ min: 0n, max: FIELD_MODULUS - 1n });

/** Signed with a nonce that the test chooses, also one that no signer would. */
function signWith(nonce: bigint, secret: bigint, text: bigint): Signature {
  const R = multiplyGenerator(nonce);
  const e = signatureChallenge(R, multiplyGenerator(secret), text);
  return { R, s: modulo(nonce + e * secret, GROUP_ORDER) };
}

describeWithAnvil('Schnorr signatures over Grumpkin in Solidity', () => {
  let contract: EvmContract;
  beforeAll(async () => {
    contract = await EvmContract.create('proofs.sol', 'Proofs');
  });
  afterAll(() => contract?.stop());

  const isSigned = async ({ x, y }: Point, text: bigint, { R, s }: Signature): Promise<unknown> =>
    (await contract.call('isSigned', [[x, y], text, [R.x, R.y, s]]))[0];

  it('hold for every key, the generator and its negative included', async () => {
    await fc.assert(
      fc.asyncProperty(scalar, scalar, message, async (secret, nonce, text) => {
        const signature = signWith(nonce, secret, text);
        fc.pre(signature.s !== 0n);
        expect(await isSigned(multiplyGenerator(secret), text, signature)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('are checked as by the library when one part is another', async () => {
    const parts = fc.constantFrom('R.x', 'R.y', 's', 'message', 'key', 'R');
    await fc.assert(
      fc.asyncProperty(scalar, scalar, message, parts, scalar, async (secret, other, text, part, delta) => {
        const { R, s } = sign(secret, text);
        const key = multiplyGenerator(part === 'key' ? other : secret);
        const changed = {
          R: {
            x: part === 'R.x' ? modulo(R.x + delta, FIELD_MODULUS) : R.x,
            y: part === 'R.y' ? modulo(R.y + delta, FIELD_MODULUS) : R.y,
          },
          s: part === 's' ? modulo(s + delta, GROUP_ORDER) : s,
        };
        if (part === 'R') changed.R = multiplyGenerator(delta);
        const said = part === 'message' ? modulo(text + delta, FIELD_MODULUS) : text;
        expect(await isSigned(key, said, changed)).toBe(verifySignature(key, said, changed));
      }),
      { numRuns: 40 },
    );
  });

  it('are refused in any second form', async () => {
    const secret = 77n;
    const key = multiplyGenerator(secret);
    const { R, s } = sign(secret, 5n);
    const refused = async (point: Point, signature: Signature, text = 5n) =>
      expect([signature, await isSigned(point, text, signature)]).toEqual([signature, false]);
    expect(await isSigned(key, 5n, { R, s })).toBe(true);
    await refused(key, { R, s: s + GROUP_ORDER });
    await refused(key, { R: { x: R.x + FIELD_MODULUS, y: R.y }, s });
    await refused(key, { R: { x: R.x, y: R.y + FIELD_MODULUS }, s });
    await refused({ x: key.x + FIELD_MODULUS, y: key.y }, { R, s });
    await refused({ x: key.x, y: key.y + FIELD_MODULUS }, { R, s });
    await refused(key, { R: { x: R.x, y: FIELD_MODULUS - R.y }, s });
    await refused(key, { R: { x: 0n, y: 0n }, s });
    await refused(key, { R, s: 0n });
    await refused({ x: 0n, y: 0n }, { R, s });
    await refused({ x: 1n, y: 2n }, { R, s });
  });
});
