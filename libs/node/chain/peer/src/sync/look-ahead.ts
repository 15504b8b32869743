/**
 * The items of the source in order, of which up to `most` are prepared before they are requested.
 * @throws as the source does, at the item where it failed
 */
export async function* lookAhead<T>(source: AsyncGenerator<T>, most: number): AsyncGenerator<T> {
  const made: Promise<IteratorResult<T>>[] = [];
  // Calls of `next` on an async generator queue up by themselves, one after the other.
  const fill = () => {
    while (made.length < most) {
      const next = source.next();
      // The consumer of the item gets its failure; until then it must not count as unhandled.
      next.catch(() => undefined);
      made.push(next);
    }
  };
  try {
    for (;;) {
      fill();
      const item = await made.shift();
      if (item === undefined || item.done === true) return;
      yield item.value;
    }
  } finally {
    // Not waited for: it may be in the middle of a request that takes its time to fail.
    source.return(undefined).catch(() => undefined);
  }
}
