import { serveJobs } from '@tetrad/types';
import { runSigningJob } from './signing-job.js';

/** Entry of a thread of the signing pool. */
serveJobs(runSigningJob);
