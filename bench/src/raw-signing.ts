import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { blake2b256, encodeSignature65, generatePrivateKey, signDigest } from '@tetrad/crypto';

/** Signatures a second of the secp256k1 library on this thread, the hash included. */
export function rawSecp256k1Rate(signatures: number): number {
  const key = generatePrivateKey();
  const data = new Uint8Array(38).fill(1);
  const from = performance.now();
  for (let made = 0; made < signatures; made++) encodeSignature65(signDigest(blake2b256(data), key));
  return signatures / ((performance.now() - from) / 1000);
}

/** Signatures a second of the BLS library with a thread per processor. */
export async function rawBlsRate(signatures: number): Promise<number> {
  const threads = availableParallelism();
  const each = Math.ceil(signatures / threads);
  const workers = Array.from(
    { length: threads },
    () =>
      new Worker(new URL('./servers/bls-signer.js', import.meta.url), { workerData: { signatures: each } }),
  );
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const from = performance.now();
  const done = workers.map((worker) => once(worker, 'message'));
  for (const worker of workers) worker.postMessage('go');
  await Promise.all(done);
  const seconds = (performance.now() - from) / 1000;
  await Promise.all(workers.map((worker) => worker.terminate()));
  return (each * threads) / seconds;
}
