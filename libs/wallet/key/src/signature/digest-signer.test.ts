import { describe, expect, it } from '@jest/globals';
import { generatePrivateKey } from '@tetrad/crypto';
import { DigestSigner } from './digest-signer.js';
import { signRecoverableDigest } from './recoverable.js';
import { signAll, type SignAllJob } from './sign-all-job.js';

const digest = (n: number) => new Uint8Array(32).fill(n);

/** A signer whose batches are signed here; `jobs` are those that went to a thread. */
function signerOf(isThreadFree = true) {
  const jobs: SignAllJob[] = [];
  const sizes: number[] = [];
  const signer = new DigestSigner({
    isThreadFree: () => isThreadFree,
    async run(job) {
      jobs.push(job);
      sizes.push(job.digests.length / 32);
      return signAll(job);
    },
  });
  return { signer, jobs, sizes };
}

describe('a signer of digests', () => {
  it('sends what comes together as batches, whose copies of keys are wiped', async () => {
    const { signer, jobs, sizes } = signerOf();
    const keys = Array.from({ length: 40 }, generatePrivateKey);
    const made = await Promise.all(keys.map((key, at) => signer.sign(key, digest(at))));
    expect(made).toEqual(keys.map((key, at) => signRecoverableDigest(key, digest(at))));
    expect(sizes).toEqual([32, 8]);
    expect(jobs.every((job) => job.keys.every((byte) => byte === 0))).toBe(true);
  });

  it.each([
    ['a single request', true, 1],
    ['all requests while no thread is free', false, 5],
  ])('serves %s on the caller’s thread', async (_what, isThreadFree, count) => {
    const { signer, sizes } = signerOf(isThreadFree);
    const key = generatePrivateKey();
    const asked = Array.from({ length: count }, (_, at) => at);
    const made = await Promise.all(asked.map((at) => signer.sign(key, digest(at))));
    expect(made).toEqual(asked.map((at) => signRecoverableDigest(key, digest(at))));
    expect(sizes).toEqual([]);
  });

  it('gathers what comes while a batch is under way, and settles when all are served', async () => {
    const { signer, sizes } = signerOf();
    const key = generatePrivateKey();
    const first = [1, 2].map((n) => signer.sign(key, digest(n)));
    await new Promise((turn) => setImmediate(turn));
    const later = [3, 4, 5].map((n) => signer.sign(key, digest(n)));
    expect(signer.waiting).toBe(3);
    await signer.settle();
    expect(sizes).toEqual([2, 3]);
    expect(await Promise.all([...first, ...later])).toHaveLength(5);
  });

  it('fails a batch with what its thread failed with, and takes the next', async () => {
    let broken = true;
    const signer = new DigestSigner({
      isThreadFree: () => true,
      async run(job) {
        if (broken) throw new Error('the thread died');
        return signAll(job);
      },
    });
    const key = generatePrivateKey();
    const both = () => Promise.allSettled([signer.sign(key, digest(1)), signer.sign(key, digest(2))]);
    expect(await both()).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    broken = false;
    expect(await both()).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
  });
});
