import { addressFromBytes, addressToBytes, type Address } from '@tetrad/types';

const ADDRESS_LENGTH = 20;

/** Addresses in one value of bytes, one after the other. */
export function toBytes(addresses: readonly Address[]): Buffer<ArrayBuffer> {
  return Buffer.concat(addresses.map(addressToBytes));
}

export function toAddresses(bytes: Uint8Array): Address[] {
  return Array.from({ length: bytes.length / ADDRESS_LENGTH }, (_, index) =>
    addressFromBytes(bytes.subarray(index * ADDRESS_LENGTH, (index + 1) * ADDRESS_LENGTH)),
  );
}
