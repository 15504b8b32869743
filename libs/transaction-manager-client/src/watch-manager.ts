import type { Clock } from '@tetrad/types';
import type { ManagerClient } from './manager-client.js';

/** A node without private transactions sends no other request for days. */
const EVERY_MS = 10_000;

/**
 * Asks the manager again and again whether it is up, so that its metrics are current.
 * @returns a function that ends the questions
 */
export function watchManager(
  manager: Pick<ManagerClient, 'upcheck'>,
  clock: Pick<Clock, 'schedule'>,
): () => void {
  let isOver = false;
  let cancel: (() => void) | undefined;
  const ask = () =>
    void manager.upcheck().then(() => {
      if (!isOver) cancel = clock.schedule(EVERY_MS, ask);
    });
  ask();
  return () => {
    isOver = true;
    cancel?.();
  };
}
