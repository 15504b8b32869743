import { runSigningJob } from './signing-job.js';

/** Entry of a thread of the signing pool. */
export default runSigningJob;
