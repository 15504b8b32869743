import { describe, expect, it } from '@jest/globals';
import { signingKeyOf, type RecoverableSignature } from '@tetrad/crypto';
import { systemClock } from '@tetrad/types';
import { boundHandshakes } from './handshake-keys.js';

const DIGEST = new Uint8Array(32).fill(2);

/** A key of a service that answers when the test says so. */
function slowKey() {
  const key = signingKeyOf(new Uint8Array(32).fill(1));
  const waiting: (() => void)[] = [];
  const sign = async (digest: Uint8Array): Promise<RecoverableSignature> => {
    await new Promise<void>((done) => waiting.push(done));
    return key.sign(digest);
  };
  return { key: { address: key.address, publicKey: key.publicKey, sign }, waiting };
}

describe('handshakes that sign in a service', () => {
  it('make one call at a time for all strangers together, and refuse what is too many', async () => {
    const { key, waiting } = slowKey();
    const { listener } = boundHandshakes(key, { clock: systemClock, timeoutMs: 60_000 });
    const outcomes = Array.from({ length: 40 }, () =>
      listener.sign(DIGEST).then(
        () => 'signed',
        (error: { code?: string }) => error.code,
      ),
    );
    for (let answered = 0; answered < 17; answered += 1) {
      expect(waiting).toHaveLength(1);
      waiting.pop()?.();
      await new Promise((done) => setImmediate(done));
    }
    const all = await Promise.all(outcomes);
    expect(all.filter((outcome) => outcome === 'signed')).toHaveLength(17);
    expect(all.filter((outcome) => outcome === 'KEY_UNAVAILABLE')).toHaveLength(23);
  });

  it('of this node get their turn while strangers have taken all of theirs', async () => {
    const { key, waiting } = slowKey();
    const { dialer, listener } = boundHandshakes(key, { clock: systemClock, timeoutMs: 60_000 });
    const strangers = Array.from({ length: 17 }, () => listener.sign(DIGEST));
    const own = dialer.sign(DIGEST);
    expect(waiting).toHaveLength(2);
    waiting.pop()?.();
    await expect(own).resolves.toHaveProperty('r');
    for (let answered = 0; answered < 17; answered += 1) {
      waiting.pop()?.();
      await new Promise((done) => setImmediate(done));
    }
    await Promise.all(strangers);
  });
});
