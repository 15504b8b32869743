import { publicKeyFromPrivateKey } from '@tetrad/crypto';

/** Nodes that are named and never run. */
const enode = (key: number, host: string) => {
  const id = Buffer.from(publicKeyFromPrivateKey(Buffer.alloc(32, key))).toString('hex');
  return `enode://${id}@${host}:21000?discport=0`;
};

export const BANK_NODE = enode(0x51, '10.0.0.51');
export const SPARE_NODE = enode(0x52, '10.0.0.52');
export const NAMED_NODE = enode(0x53, 'node.example');

/** The node under another address. */
export const moved = (url: string) => url.replace(/@[^:]+:/, '@10.9.9.9:');
export const nodeIdOf = (url: string) => url.slice(8, 136);
