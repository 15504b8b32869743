import { parentPort } from 'node:worker_threads';
import { serveWork } from './serve-work.js';

/** Entry of a thread for executions of clients. */
if (parentPort !== null) serveWork(parentPort);
