import { serveJobs } from '@tetrad/types';
import { runCheckJob } from './check-job.js';

/** Entry of a thread of the checking pool. */
serveJobs(runCheckJob);
