import { EMPTY_KECCAK } from '@tetrad/crypto';
import {
  Journal,
  World,
  wordFromAddress,
  wordFromBytes,
  wordToBytes,
  type Account,
  type Word,
} from '@tetrad/node-evm';
import type { Address, Hash } from '@tetrad/types';
import { commitChanges, type GiveWay } from './commit-changes.js';
import { SettledState } from './settled-state.js';
import type { StateChanges } from './state-changes.js';
import { accountKey, slotKey } from './state-keys.js';
import type { StateReader } from './state-reader.js';
import { EMPTY_STORAGE_ROOT } from './stored-account.js';
import { StoredState } from './stored-state.js';
import type { Trie } from './trie.js';
import type { AccountState, WorldState } from './world-state.js';

const EMPTY = new Uint8Array(0);

/** A world over the tries of a root. */
export class TrieWorld implements WorldState {
  private constructor(
    private readonly state: StoredState,
    readonly evm: World,
  ) {}

  /** @param journal - of other worlds that answer the same executions */
  static at(reader: StateReader, root: Hash, journal = new Journal()): TrieWorld {
    const state = new StoredState(reader, root);
    return new TrieWorld(state, new World(state, journal, reader.programs));
  }

  get root(): Hash {
    return this.state.root;
  }

  async findAccount(address: Address): Promise<AccountState | undefined> {
    const word = wordFromAddress(address);
    const known = this.evm.known(word);
    const stored = await this.state.readAccount(accountKey(word));
    if (known !== undefined) return known.exists ? stateOf(known, stored?.storageRoot) : undefined;
    if (stored === null) return undefined;
    const { balance, nonce, codeHash, storageRoot } = stored;
    return { balance, nonce, codeHash, storageRoot };
  }

  async readCode(address: Address): Promise<Uint8Array> {
    const own = this.evm.known(wordFromAddress(address))?.code;
    if (own !== undefined) return own.bytes;
    const account = await this.findAccount(address);
    return account === undefined ? EMPTY : this.readCodeByHash(account.codeHash);
  }

  async readCodeByHash(hash: Hash): Promise<Uint8Array> {
    return hash === EMPTY_KECCAK ? EMPTY : this.state.reader.readCode(hash);
  }

  async readSlot(address: Address, slot: Uint8Array): Promise<Uint8Array> {
    return wordToBytes(await this.slotValue(wordFromAddress(address), wordFromBytes(slot)));
  }

  base(): WorldState {
    return TrieWorld.at(this.state.reader, this.root);
  }

  copy(): WorldState {
    const state = new StoredState(this.state.reader, this.root);
    return new TrieWorld(state, this.evm.copy(state));
  }

  async settled(): Promise<WorldState> {
    if (this.evm.changed.length === 0) return this;
    const changes = await this.commitBlock();
    return TrieWorld.at(new SettledState(this.state.reader, changes), changes.stateRoot);
  }

  commitBlock(giveWay?: GiveWay): Promise<StateChanges> {
    return commitChanges(this.state, this.evm.changes(), giveWay);
  }

  accountTrie(): Trie {
    return this.state.openTrie(this.root);
  }

  storageTrie(root: Hash): Trie {
    return this.state.openTrie(root);
  }

  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.state.reader.findPreimage(hash);
  }

  private async slotValue(address: Word, slot: Word): Promise<Word> {
    const account = this.evm.known(address);
    const known = account?.slots.get(slot);
    if (known !== undefined) return known.value;
    return account?.hasStored === false ? 0 : this.state.readSlot(accountKey(address), slotKey(slot));
  }
}

function stateOf({ nonce, balance, codeHash, cleared }: Account, stored = EMPTY_STORAGE_ROOT): AccountState {
  return {
    nonce,
    balance: BigInt(balance),
    codeHash,
    storageRoot: cleared ? EMPTY_STORAGE_ROOT : stored,
  };
}
