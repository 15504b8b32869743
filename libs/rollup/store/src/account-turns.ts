/**
 * Gives operations their turns, as start-time fair queueing does: who has nothing waiting begins at the turn that is served now, and each
 * further operation of an account comes one turn later. An account with a thousand waiting thus delays another by one of its own, and
 * what an account did when nothing waited is not held against it.
 */
export class AccountTurns {
  /**
   * @param last - account → turn of its last operation
   * @param present - the turn that is served now
   */
  constructor(
    private readonly last: Map<number, number>,
    private readonly present: number,
  ) {}

  /**
   * @param places - of batches that the operation takes, each of which is a turn
   * @returns the first of its turns
   */
  next(accountId: number, places = 1): number {
    const last = this.last.get(accountId);
    const turn = last === undefined ? this.present : Math.max(last + 1, this.present);
    this.last.set(accountId, turn + places - 1);
    return turn;
  }
}
