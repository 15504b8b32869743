import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { ConnectionLimit } from './connection-limit.js';

const [HOST, OTHER, PEER] = ['192.0.2.1', '192.0.2.2', '192.0.2.9'] as const;

function limitOf(strangers: number) {
  const limit = new ConnectionLimit({ perAddress: 2, strangers, isKnownAddress: (key) => key === PEER });
  const open = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress });
    return { isAdmitted: limit.admit(socket as unknown as Socket), close: () => socket.emit('close') };
  };
  return { open, admits: (address: string) => open(address).isAdmitted };
}

it('an address has so many connections, and again when one of them is closed', () => {
  const { open, admits } = limitOf(10);
  const [first] = [open(HOST), open(HOST)];
  expect([admits(HOST), admits(`::ffff:${HOST}`), admits(OTHER)]).toEqual([false, false, true]);
  first?.close();
  expect([admits(HOST), admits(HOST)]).toEqual([true, false]);
});

it('strangers together have so many, and the addresses of peers more', () => {
  const { admits } = limitOf(3);
  expect([HOST, HOST, OTHER].map(admits)).toEqual([true, true, true]);
  expect(admits(OTHER)).toBe(false);
  expect([PEER, PEER, PEER].map(admits)).toEqual([true, true, true]);
});
