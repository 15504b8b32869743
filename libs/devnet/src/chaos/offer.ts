/** The pause between two transactions of a sender. */
export const PAUSE_MS = 50;
/** A node that does not answer within this counts as down. */
export const ANSWER_MS = 10_000;

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, Math.max(ms, 0)));
}

/** @returns undefined when the answer is an error, or late */
export async function answerWithin(ms: number, answer: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((done) => (timer = setTimeout(() => done(undefined), ms)));
  const given = await Promise.race([answer.catch(() => undefined), late]);
  clearTimeout(timer);
  return given;
}
