/** Runs the task for every item, at most `limit` at a time, started in order; results in the order of the items. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const left = items.entries();
  const work = async () => {
    for (const [index, item] of left) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
