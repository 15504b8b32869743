const MB = 1024 * 1024;
/** Tests wait for blocks and for other processes half of their time, in which another worker has the core. */
const WORKERS_PER_CORE = 2;
/** What a worker may come to before it is replaced (jest.config.mjs), with the services that its tests start. */
const BYTES_OF_WORKER = 3_000 * MB;

/**
 * How many test files run at once: twice as many as there are cores, where there is memory for them; as many as cores, and two, in
 * any case.
 * @param host.memoryBytes - of the host, whatever is in use
 */
export function workerCount({
  cores,
  memoryBytes,
}: {
  readonly cores: number;
  readonly memoryBytes: number;
}): number {
  const forMemory = Math.floor(memoryBytes / BYTES_OF_WORKER);
  return Math.max(2, Math.min(cores * WORKERS_PER_CORE, Math.max(cores, forMemory)));
}
