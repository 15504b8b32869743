/**
 * Runs the task for every item, at most `limit` at a time, started in order; results in the order of the items. After a failure
 * no further one is started.
 *
 * @throws what the first task that failed did
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const left = items.entries();
  let hasFailed = false;
  const work = async () => {
    for (const [index, item] of left) {
      if (hasFailed) return;
      results[index] = await task(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
