import { IN_THIS_THREAD, WorkThreads, type WorkRunner } from '@tetrad/node-simulation';
import type { ServiceEnvironment } from '@tetrad/service';
import type { NodeConfig } from './config.js';
import type { NodeModule } from './node-module.js';

/** Runs calls and estimates of clients on separate threads, if the operator configures some. */
export async function openCallThreads(
  { callThreads, callThreadMemoryMb }: NodeConfig,
  { logger, metrics }: Pick<ServiceEnvironment, 'logger' | 'metrics'>,
): Promise<NodeModule<WorkRunner>> {
  if (callThreads === 0) return { parts: IN_THIS_THREAD, readiness: {}, close: () => Promise.resolve() };
  const threads = new WorkThreads({ threads: callThreads, heapMb: callThreadMemoryMb, logger, metrics });
  threads.start();
  return { parts: threads, readiness: {}, close: () => threads.close() };
}
