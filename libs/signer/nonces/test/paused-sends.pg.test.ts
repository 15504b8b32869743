import { describe, expect, it, jest } from '@jest/globals';
import { VirtualClock } from '@tetrad/testkit';
import { ACCOUNT, useNonceManager } from './nonce-manager-setup.js';
import { until, type Replica } from './replica.js';
import { rejection } from './strict-chain.js';

const manager = useNonceManager();

/** A maintenance pass comes before the pause of 20 ms is over. */
const PASS_MS = 10;

/** Holds reservations until they are let go. */
function holdReservations({ store: { nonces } }: Replica) {
  const reserve = nonces.reserve.bind(nonces);
  let letGo = () => {};
  const held = new Promise<void>((go) => (letGo = go));
  const calls = jest.spyOn(nonces, 'reserve').mockImplementation(async (request) => {
    await held;
    return reserve(request);
  }).mock.calls;
  return { calls, letGo };
}

describe('a send that pauses, since the client wants lower nonces first', () => {
  it('stays in the queue of its account after a maintenance pass, and shares no nonce with the next send', async () => {
    const clock = new VirtualClock();
    let isTooHigh = true;
    const replica = await manager.start(
      {
        submit: async (raw) => {
          if (isTooHigh) throw rejection('nonce too high');
          return manager.chain.submit(raw);
        },
      },
      { clock, timing: { passMs: PASS_MS } },
    );
    const passed = jest.spyOn(replica.store.replicas, 'pruneDead').mock.calls;
    const first = replica.send(ACCOUNT, 'a');
    await until(async () => (await manager.entries(replica))[0]?.state === 'free', 'the nonce is given back');
    await clock.runUntil(clock.now() + PASS_MS, () => false);
    await until(() => passed.length === 1, 'a pass has ended');
    isTooHigh = false;
    const reservations = holdReservations(replica);
    const second = replica.send(ACCOUNT, 'b');
    await until(() => reservations.calls.length === 1, 'the next send reserves');
    await clock.runUntil(clock.now() + 2 * PASS_MS, () => false);
    await until(
      () => reservations.calls.length === 2 || replica.manager.waitingSends === 1,
      'the first reserves too, or waits for the next one',
    );
    expect(reservations.calls).toHaveLength(1);
    reservations.letGo();
    await Promise.all([first, second]);
    await until(() => {
      manager.chain.mine();
      return manager.minedIds().length === 2;
    }, 'both are mined');
    expect([...manager.minedIds()].sort()).toEqual(['a', 'b']);
  });
});
