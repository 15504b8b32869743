/**
 * Runs the work so many times at the same time. All have ended when it returns or throws: none writes rows of a state that is no longer
 * taken.
 * @throws what the first one throws
 */
export async function runAtOnce(times: number, work: () => Promise<void>): Promise<void> {
  const outcomes = await Promise.allSettled(Array.from({ length: times }, work));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
