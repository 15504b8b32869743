import { describe, expect, it } from '@jest/globals';
import { recoverAddress, decodeSignature65, signingKeyOf, type SigningKey } from '@tetrad/crypto';
import type { HeightContext } from '@tetrad/node-consensus-bft';
import { VirtualClock } from '@tetrad/testkit';
import { silentLogger, silentMetrics } from '@tetrad/types';
import { ValidatorSigning } from './validator-signing.js';

const KEY = signingKeyOf(new Uint8Array(32).fill(7));
const DIGEST = new Uint8Array(32).fill(1);
const context = () =>
  ({ format: 'qbft', requestTimeoutMs: 4_000, maxRequestTimeoutMs: 0 }) as unknown as HeightContext;

function signingWith(sign: SigningKey['sign']) {
  const clock = new VirtualClock();
  let calls = 0;
  const counted: SigningKey['sign'] = (digest) => {
    calls += 1;
    return sign(digest);
  };
  const key = { address: KEY.address, publicKey: KEY.publicKey, sign: counted };
  const signing = new ValidatorSigning({ key, context, clock, logger: silentLogger, metrics: silentMetrics });
  const pass = (ms: number) => clock.runUntil(clock.now() + ms, () => false);
  return { signing, pass, calls: () => calls };
}

describe('signing for a validator', () => {
  it('is done at once with a key in memory', () => {
    const signing = new ValidatorSigning({
      key: KEY,
      context,
      clock: new VirtualClock(),
      logger: silentLogger,
      metrics: silentMetrics,
    });
    const made = signing.sign(DIGEST) as Uint8Array;
    expect(recoverAddress(DIGEST, decodeSignature65(made))).toBe(KEY.address);
  });

  it('gives the signature of a service', async () => {
    const { signing } = signingWith(KEY.sign);
    const made = (await signing.sign(DIGEST)) as Uint8Array;
    expect(recoverAddress(DIGEST, decodeSignature65(made))).toBe(KEY.address);
  });

  it('gives none when the service refuses, and asks again the next time', async () => {
    const { signing, calls } = signingWith(() => Promise.reject(new Error('away')));
    expect([await signing.sign(DIGEST), await signing.sign(DIGEST), calls()]).toEqual([
      undefined,
      undefined,
      2,
    ]);
  });

  it('waits for a tenth of a round, once, for a service that hangs', async () => {
    let give = (): void => undefined;
    const hung = new Promise<void>((done) => (give = done));
    const { signing, pass, calls } = signingWith((digest) => hung.then(() => KEY.sign(digest)));
    const first = signing.sign(DIGEST);
    await pass(399);
    const isOpen = Symbol('open');
    expect(await Promise.race([first, Promise.resolve(isOpen)])).toBe(isOpen);
    await pass(1);
    expect(await first).toBeUndefined();
    expect([await signing.sign(DIGEST), calls()]).toEqual([undefined, 1]);
    give();
    await new Promise((turn) => setImmediate(turn));
    expect(await signing.sign(DIGEST)).toHaveLength(65);
  });
});
