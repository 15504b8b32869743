/** Runs the task for every item, so many at a time, started in order; results in the order of the items. */
export async function runInLanes<Item, Result>(
  items: readonly Item[],
  lanes: number,
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const left = items.entries();
  const runLane = async () => {
    for (const [index, item] of left) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, runLane));
  return results;
}
