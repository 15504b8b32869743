import { bytesFromHex } from '@tetrad/types';

/** Keys and requests of EthSigner's tests (libs/signer/transactions/vectors/ORIGIN.md). */

export const KA = bytesFromHex('0x86e6fa33d44da09c2b3860767dc929e31eefc43891872bbe97365a357fb758f3');
export const KA_ADDRESS = '0x7577919ae5df4941180eac211965f275cdce314d';
export const KB = bytesFromHex('0x8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63');
export const KB_ADDRESS = '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73';
export const KC = bytesFromHex('0x1618fc3e47aec7e70451256e033b9edb67f4c469258d8e2fbb105552f141ae41');
export const KC_ADDRESS = '0x0c8f735bc186ea3842e640ffdcb474def3e767a0';

export const REFERENCE_CHAIN = 9;

export const BASE = {
  from: KA_ADDRESS,
  nonce: '0xe04d296d2460cfb8472af2c5fd05b5a214109c25688d3704aed5484f9a7792f2',
  gasPrice: '0x9184e72a000',
  gas: '0x76c0',
  to: '0xd46e8dd67c5d32be8058bb8eb970870f07244567',
  value: '0x9184e72a',
  data: '0xd46e8dd67c5d32be8d46e8dd67c5d32be8058bb8eb970870f072445675058bb8eb970870f072445675',
};

export const PRIV = {
  ...BASE,
  value: '0x0',
  privateFrom: 'ZlapEsl9qDLPy/e88+/6yvCUEVIvH83y0N4A6wHuKXI=',
  privateFor: ['GV8m0VZAccYGAAYMBuYQtKEj0XtpXeaw2APcoBmtA2w='],
  restriction: 'restricted',
};

export const PG = '/xzRjCLioUBkm5LYuzll61GXyrD5x7bvXzQk/ovJA/4=';

/** The object without the member. */
export function without<T extends object, Key extends keyof T>(value: T, ...keys: Key[]): Omit<T, Key> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key as Key))) as Omit<
    T,
    Key
  >;
}
