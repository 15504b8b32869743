import { Code, toWord, wordFromAddress, wordFromBytes, type Account } from '@tetrad/node-evm';
import type { Address } from '@tetrad/types';
import { loadAccount, loadSlot } from '../state/load.js';
import type { WorldState } from '../state/world-state.js';

/** Changes accounts of a world as executions do, in one transaction until `end`. */
export class WorldEditor {
  constructor(readonly world: WorldState) {}

  async putAccount(address: Address, nonce: bigint, balance: bigint): Promise<void> {
    const account = await this.account(address);
    account.setNonce(nonce);
    account.setBalance(toWord(balance));
  }

  async putCode(address: Address, code: Uint8Array): Promise<void> {
    (await this.account(address)).setCode(new Code(code));
  }

  async putSlot(address: Address, slot: Uint8Array, value: Uint8Array): Promise<void> {
    const account = await this.account(address);
    account.setSlot(await loadSlot(this.world.evm, account, wordFromBytes(slot)), wordFromBytes(value));
  }

  /** Ends the transaction before it, and removes the account between two. */
  async remove(address: Address): Promise<void> {
    this.end();
    (await this.account(address)).remove();
  }

  /** Ends the transaction before it, and empties the storage between two. */
  async emptyStorage(address: Address): Promise<void> {
    this.end();
    (await this.account(address)).emptyStorage();
  }

  end(): void {
    this.world.evm.journal.next();
  }

  private account(address: Address): Promise<Account> {
    return loadAccount(this.world.evm, wordFromAddress(address));
  }
}
