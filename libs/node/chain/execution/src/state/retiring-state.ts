import type { CodeCache, Word } from '@tetrad/node-evm';
import type { Hash } from '@tetrad/types';
import type { StateReader } from './state-reader.js';
import type { StoredAccount } from './stored-account.js';

/** A state whose nodes may be removed while it is read: a missing one is then not damage. */
export class RetiringState implements StateReader {
  /** @param onMissing - called before a missing node is reported; throws where the state is no longer kept */
  constructor(
    private readonly base: StateReader,
    private readonly onMissing: () => void,
  ) {}

  get programs(): CodeCache {
    return this.base.programs;
  }

  cachedNode(hash: Uint8Array): Uint8Array | undefined {
    return this.base.cachedNode(hash);
  }

  async findNode(hash: Uint8Array): Promise<Uint8Array | undefined> {
    const node = await this.base.findNode(hash);
    if (node === undefined) this.onMissing();
    return node;
  }

  cachedCode(hash: Hash): Uint8Array | undefined {
    return this.base.cachedCode(hash);
  }

  readCode(hash: Hash): Promise<Uint8Array> {
    return this.base.readCode(hash);
  }

  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.base.findPreimage(hash);
  }

  findFlat(root: Hash, key: string): Promise<Uint8Array | null | undefined> {
    return this.base.findFlat(root, key);
  }

  cachedAccount(root: Hash, account: string): StoredAccount | null | undefined {
    return this.base.cachedAccount(root, account);
  }

  cachedSlot(root: Hash, slot: string): Word | undefined {
    return this.base.cachedSlot(root, slot);
  }

  rememberAccount(root: Hash, key: string, account: StoredAccount | null): void {
    this.base.rememberAccount(root, key, account);
  }

  rememberSlot(root: Hash, slot: string, value: Word): void {
    this.base.rememberSlot(root, slot, value);
  }
}
