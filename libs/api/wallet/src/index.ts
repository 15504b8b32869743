import { acceptAnyLetterCase } from '@tetrad/rpc';
import { COIN_PERMISSIONS, coinMethods } from './coin.js';

export { COIN_PERMISSIONS, coinMethods };
export type { CoinMessage, CoinPermission, CoinSignature } from './coin.js';

/** The methods of the interface document that the wallet serves. */
export const walletMethods = acceptAnyLetterCase(coinMethods);
