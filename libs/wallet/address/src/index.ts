export { addressError, type AddressFault } from './address-error.js';
export {
  formatCoinAddress,
  parseCoinAddress,
  type CoinNetwork,
  type ParseAddressOptions,
} from './address-text.js';
export {
  CoinAddress,
  MAX_ACTOR_ID,
  PROTOCOL,
  actorIdOf,
  coinAddressFromBytes,
  coinAddressOf,
  delegationOf,
  idAddress,
  type AddressProtocol,
} from './coin-address.js';
export { delegatedFromEthAddress, ethAddressOf } from './eth-address.js';
export { blsAddress, secp256k1Address } from './key-address.js';
