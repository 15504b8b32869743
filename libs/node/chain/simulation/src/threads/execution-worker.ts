import { parentPort, resourceLimits } from 'node:worker_threads';
import { announceLoaded } from '@tetrad/types';
import { serveWork } from './serve-work.js';
import { memoryOfThread } from './thread-memory.js';

/** Entry of a thread for executions of clients; its resource limits say how much memory it has. */
if (parentPort !== null)
  serveWork(parentPort, memoryOfThread(resourceLimits.maxOldGenerationSizeMb ?? Infinity));
announceLoaded();
