import { Session } from 'node:inspector/promises';
import { getHeapStatistics } from 'node:v8';

/**
 * Shares of a thread's heap. When more than the first is in use, garbage is collected; when more than the second is alive
 * then, the heap is full. The rest is for what one slice allocates, and for a map that doubles in one step: V8 ends the whole
 * process when a thread needs more than 16 MB above its limit at once. The second is lower than the first, so that a heap
 * that is nearly full is not collected before every slice.
 */
const COLLECT_SHARE = 0.75;
const FULL_SHARE = 0.65;

/** What a thread's work is asked to respect; `isFull` may take as long as a garbage collection. */
export interface ThreadMemory {
  isFull(): Promise<boolean>;
}

/**
 * The heap of the calling thread.
 *
 * @param heapMb - The thread's limit of its old generation, in megabytes.
 * @returns A memory that is full when two thirds of the limit are alive after a garbage collection.
 */
export function memoryOfThread(heapMb: number): ThreadMemory {
  const session = new Session();
  session.connect();
  const uses = (share: number) => getHeapStatistics().used_heap_size > heapMb * 1024 * 1024 * share;
  return {
    isFull: async () => {
      if (!uses(COLLECT_SHARE)) return false;
      // By the inspector: the flag that shows V8's own function is one of the whole process, and spoils its code cache.
      await session.post('HeapProfiler.collectGarbage');
      return uses(FULL_SHARE);
    },
  };
}
