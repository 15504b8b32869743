import { signBls, verifyBls } from './bls.js';
import { signAll, type SignAllJob } from './sign-all-job.js';
import { SigningError } from './recoverable.js';

const KEY_BYTES = 32;

/** A batch of data to sign with BLS. Layout: keys — n × key (32), copies that are wiped after use */
export interface BlsSignJob {
  readonly do: 'sign-bls';
  readonly keys: Uint8Array;
  readonly data: readonly Uint8Array[];
}

/** Errors travel as values: thrown ones lose their class between threads. */
export type BlsSignature =
  { readonly signature: Uint8Array } | { readonly refused: Pick<SigningError, 'code' | 'message'> };

/** A BLS signature to verify. */
export interface VerifyJob {
  readonly do: 'verify';
  readonly publicKey: Uint8Array;
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
}

/** Work on its way to another thread, most of it BLS; the keys in it are copies that are wiped there. */
export type SigningJob = SignAllJob | BlsSignJob | VerifyJob;

/** Outcome of a job. */
export type SigningOutcome =
  | { readonly signatures: Uint8Array }
  | { readonly made: readonly BlsSignature[] }
  | { readonly valid: boolean };

export function runSigningJob(job: SigningJob): SigningOutcome {
  switch (job.do) {
    case 'sign-all':
      return { signatures: signAll(job) };
    case 'sign-bls':
      return { made: signAllBls(job) };
    case 'verify':
      return { valid: verifyBls(job.publicKey, job.data, job.signature) };
  }
}

function signAllBls({ keys, data }: BlsSignJob): BlsSignature[] {
  try {
    return data.map((one, at) => signOne(keys.subarray(at * KEY_BYTES, (at + 1) * KEY_BYTES), one));
  } finally {
    keys.fill(0);
  }
}

function signOne(privateKey: Uint8Array, data: Uint8Array): BlsSignature {
  try {
    return { signature: signBls(privateKey, data) };
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return { refused: { code: error.code, message: error.message } };
  }
}
