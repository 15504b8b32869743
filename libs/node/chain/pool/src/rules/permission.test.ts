import { expect, it } from '@jest/globals';
import type { TransactionPlace, WorldState } from '@tetrad/node-execution';
import { context, transaction } from '../../test/pool-entries.js';
import { permission } from './permission.js';

it('a forbidden sender is refused with the text of the hook, which gets the next block and its state', async () => {
  const world = {} as WorldState;
  const [places, one] = [[] as TransactionPlace[], transaction()];
  const rule = permission(({ sender }, place) => {
    places.push(place);
    return sender === one.sender ? { reason: 'NO_ACCESS', message: 'no permission' } : undefined;
  });
  await expect(rule.check(one, context(), world)).rejects.toMatchObject({
    code: 'NO_ACCESS',
    message: 'no permission',
  });
  await expect(rule.check(transaction({ sender: 2 }), context(), world)).resolves.toBeUndefined();
  expect(places[0]).toEqual({ block: { number: 1, timestamp: 1 }, world });
});
