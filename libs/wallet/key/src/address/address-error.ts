import { RequestError } from '@tetrad/types';

/**
 * Why bytes or text are not an address: the words of the coin network's own library (go-address), with those that
 * the signer of the wire contract answers (Web3Signer's `FilecoinAddress`), where it has any.
 */
const ADDRESS_FAULTS = {
  'invalid address length': 'Invalid Address length',
  'unknown address network': 'Unknown Filecoin network',
  'unknown address protocol': 'Unknown Filecoin protocol',
  'illegal base32 data': 'Invalid payload must be base32 encoded',
  'invalid address checksum': "Filecoin address checksum doesn't match",
  'invalid address payload': 'Invalid Address payload',
  'invalid encoding': 'Invalid Address encoding',
  'cannot marshal undefined address': 'Invalid Address length',
  'f410f addresses cannot embed masked-ID payloads': 'f410f addresses cannot embed masked-ID payloads',
} as const;

export type AddressFault = keyof typeof ADDRESS_FAULTS;

/**
 * An error of an address.
 * @param detail - the network library's own words, when they say more than the fault's name
 * @returns `message` is the text of the wire contract, `data.detail` that of the network's library
 */
export function addressError(fault: AddressFault, detail: string = fault): RequestError {
  return new RequestError('INVALID_COIN_ADDRESS', ADDRESS_FAULTS[fault], { detail });
}
