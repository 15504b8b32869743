import { Turns } from '@tetrad/types';

/** Work under a name, one at a time for each name. */
export class NamedTurns {
  private readonly named = new Map<string, { readonly turns: Turns; waiting: number }>();

  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.named.get(name) ?? { turns: new Turns(), waiting: 0 };
    this.named.set(name, own);
    own.waiting += 1;
    try {
      return await own.turns.take(work);
    } finally {
      own.waiting -= 1;
      if (own.waiting === 0) this.named.delete(name);
    }
  }
}
