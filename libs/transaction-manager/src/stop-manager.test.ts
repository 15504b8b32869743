import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { stopManager } from './stop-manager.js';

/** A manager whose loops have requests under way that end when they are cut off, or much later. */
function stopping() {
  const order: string[] = [];
  let cutOff = (): void => undefined;
  const cut = new Promise<void>((done) => (cutOff = done));
  const closed = (name: string) => ({ close: async () => void order.push(name) });
  const loop = (name: string) => ({
    async stop() {
      order.push(`${name} begins nothing`);
      await Promise.race([cut, setImmediate()]);
      order.push(`${name} has ended`);
    },
  });
  const peers = {
    async close() {
      order.push('peers');
      cutOff();
    },
  };
  const newRaws = { close: () => void order.push('waiting requests') };
  const resources = { ports: closed('ports'), peers, stored: closed('rows') };
  const loops = { lossCheck: loop('loss check'), exchange: loop('exchange'), outbox: loop('outbox') };
  return { order, resources, parts: { ...loops, deliveries: closed('deliveries'), newRaws } };
}

it('a manager lets requests to it end, cuts off its own to peers, and then waits for what made them', async () => {
  const { order, resources, parts } = stopping();
  await stopManager(resources, parts);
  expect(order).toEqual([
    'waiting requests',
    'loss check begins nothing',
    'exchange begins nothing',
    'outbox begins nothing',
    'ports',
    'peers',
    'loss check has ended',
    'exchange has ended',
    'outbox has ended',
    'deliveries',
    'rows',
  ]);
});

it('a manager whose start failed before it had parts closes what it opened', async () => {
  const { order, resources } = stopping();
  await stopManager(resources);
  expect(order).toEqual(['ports', 'peers', 'rows']);
});
