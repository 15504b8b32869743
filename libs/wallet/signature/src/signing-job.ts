import { signBls, verifyBls } from './bls.js';
import { signAll, type SignAllJob } from './sign-all-job.js';
import { SigningError } from './signing-error.js';

/** Work on its way to another thread, most of it BLS; the keys in it are copies that are wiped there. */
export type SigningJob =
  | SignAllJob
  | { readonly do: 'sign'; readonly privateKey: Uint8Array; readonly data: Uint8Array }
  | {
      readonly do: 'verify';
      readonly publicKey: Uint8Array;
      readonly data: Uint8Array;
      readonly signature: Uint8Array;
    };

/** What came of it. Errors travel as values: thrown ones lose their class between threads. */
export type SigningOutcome =
  | { readonly signature: Uint8Array }
  | { readonly valid: boolean }
  | { readonly refused: Pick<SigningError, 'reason' | 'message'> };

export function runSigningJob(job: SigningJob): SigningOutcome {
  if (job.do === 'sign-all') return { signature: signAll(job) };
  if (job.do === 'verify') return { valid: verifyBls(job.publicKey, job.data, job.signature) };
  try {
    return { signature: signBls(job.privateKey, job.data) };
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return { refused: { reason: error.reason, message: error.message } };
  } finally {
    job.privateKey.fill(0);
  }
}
