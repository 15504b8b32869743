import type { ethStateMethods } from '@tetrad/api-node';
import {
  findAccount,
  proveAccount,
  readCode,
  readSlot,
  type AccountProof,
  type WorldState,
} from '@tetrad/node-execution';
import { BlockResolver } from '@tetrad/node-queries';
import type { Handlers } from '@tetrad/rpc';
import { hashFromBytes, hashToBytes, parseAddress, type Address, type Hash } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';

export function stateHandlers(
  parts: Pick<NodeParts, 'ledger' | 'pending' | 'pool' | 'privateState'>,
): Handlers<typeof ethStateMethods> {
  const blocks = new BlockResolver(parts);
  return {
    async eth_getBalance([address, reference]) {
      const world = await blocks.worldOf(address, reference, { wanted: 'balance' });
      return (await findAccount(world, address))?.balance ?? 0n;
    },
    async eth_getCode([address, reference]) {
      return readCode(await blocks.worldOf(address, reference), address);
    },
    async eth_getStorageAt([address, slot, reference]) {
      const world = await blocks.worldOf(address, reference);
      return hashFromBytes(await readSlot(world, address, hashToBytes(slot)));
    },
    async eth_getStorageValues([requests, reference], context) {
      // One state for all of them, also when a block comes meanwhile.
      const { world, privateNumber } = await blocks.simulation(reference);
      const values: Record<string, Hash[]> = {};
      for (const [text, slots] of Object.entries(requests)) {
        const address = parseAddress(text);
        const at = { world, privateNumber, wanted: 'code' } as const;
        const own = (await blocks.privateWorldOf(address, at)) ?? world;
        values[address] = await readSlots(own, { address, slots }, () => context.giveWay());
      }
      return values;
    },
    async eth_getTransactionCount([address, reference]) {
      if (reference === 'pending') return parts.pool.pendingNonce(address);
      const world = await blocks.worldOf(address, reference, { wanted: 'balance' });
      return (await findAccount(world, address))?.nonce ?? 0n;
    },
    async eth_getProof([address, asked, reference], context) {
      // A proof is against the state root of a header, which a pending block does not have.
      const world = await blocks.worldOf(address, reference === 'pending' ? 'latest' : reference);
      const slots = asked.map(({ slot }) => hashToBytes(slot));
      const proof = await proveAccount(world, address, slots, () => context.giveWay());
      return { address, ...viewProof(proof, asked) };
    },
  };
}

async function readSlots(
  world: WorldState,
  { address, slots }: { readonly address: Address; readonly slots: readonly Hash[] },
  giveWay: () => Promise<void> | undefined,
): Promise<Hash[]> {
  const found: Hash[] = [];
  for (const slot of slots) {
    found.push(hashFromBytes(await readSlot(world, address, hashToBytes(slot))));
    await giveWay();
  }
  return found;
}

/** A proof under the keys of the request, as the caller has written them. */
function viewProof<Key>(proof: AccountProof, asked: readonly Key[]) {
  return {
    accountProof: [...proof.accountProof],
    balance: proof.balance,
    codeHash: proof.codeHash,
    nonce: proof.nonce,
    storageHash: proof.storageRoot,
    storageProof: asked.flatMap((key, index) => {
      const { value, proof: nodes } = proof.storageProof[index] ?? {};
      return value === undefined ? [] : [{ key, value, proof: [...(nodes ?? [])] }];
    }),
  };
}
