/**
 * Counts answers to another caller while work goes on.
 *
 * @param work what a stranger has asked for
 * @param ask one call of the other caller, who calls again as soon as it is answered
 * @returns calls that were answered before the work was done
 */
export async function countAnswers(work: Promise<unknown>, ask: () => Promise<unknown>): Promise<number> {
  let [answered, isDone] = [0, false];
  const askOn = async () => {
    while (!isDone) {
      await ask();
      if (!isDone) answered += 1;
    }
  };
  const asking = askOn();
  await work.finally(() => (isDone = true));
  await asking;
  return answered;
}
