import { runCheckJob } from './check-job.js';

/** Entry of a thread of the checking pool. */
export default runCheckJob;
