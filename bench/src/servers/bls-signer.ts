import { parentPort, workerData } from 'node:worker_threads';
import { SecretKey } from '@chainsafe/bls/herumi';
import herumi from 'bls-eth-wasm';

declare module 'bls-eth-wasm' {
  /** Sets the domain tag of signatures; the library exports it, and its types leave it out. */
  export function setDstG2(tag: string): void;
}

/** The raw BLS library on a separate thread: signs a given number of times, and reports when it is done. */
const { signatures } = workerData as { readonly signatures: number };
herumi.setDstG2('BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_');
const key = SecretKey.fromKeygen(new Uint8Array(32).fill(7));
const data = new Uint8Array(38).fill(1);
for (let warm = 0; warm < 20; warm++) key.sign(data).toBytes();

parentPort?.once('message', () => {
  for (let made = 0; made < signatures; made++) key.sign(data).toBytes();
  parentPort?.postMessage('done');
});
parentPort?.postMessage('ready');
