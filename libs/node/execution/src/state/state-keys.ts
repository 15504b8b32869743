import { Account } from '@ethereumjs/util';

/** Bytes as a map key: one character a byte, shorter and faster than hex. */
export function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/** An account that can be changed without the other one changing. */
export function copyAccount(account: Account): Account {
  return new Account(account.nonce, account.balance, account.storageRoot, account.codeHash);
}
