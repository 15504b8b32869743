import { coinMethods } from './coin.js';

export { coinMethods };
export type { CoinMessage, CoinSignature, SignedCoinMessage } from './coin.js';

/** The methods of the interface document that the wallet serves. */
export const walletMethods = coinMethods;
