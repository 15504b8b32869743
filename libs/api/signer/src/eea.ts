import { defineMethod, hashCodec, param } from '@tetrad/rpc';
import { SENDING_ERRORS } from './eth.js';
import { LOOSE_QUANTITIES, PARAMS_WITHOUT_ARRAY } from './tolerances.js';
import { privateTransactionRequestCodec } from './wire/transaction-request.js';

const ACCOUNT = '0x7577919ae5df4941180eac211965f275cdce314d';
const PTM_KEY = 'ZlapEsl9qDLPy/e88+/6yvCUEVIvH83y0N4A6wHuKXI=';
const OTHER_PTM_KEY = 'GV8m0VZAccYGAAYMBuYQtKEj0XtpXeaw2APcoBmtA2w=';
const MARKER_HASH = '0xe670ec64341771606e55d6b4ca35a1a6b75ee3d5145a99d05921026d1527331d';

const CALL = {
  from: ACCOUNT,
  to: '0xd46e8dd67c5d32be8058bb8eb970870f07244567',
  gas: '0x76c0',
  gasPrice: '0x0',
  data: '0xd46e8dd67c5d32be',
  privateFrom: PTM_KEY,
  restriction: 'restricted',
};

/** Private transactions of the restricted kind. */
export const eeaMethods = {
  eea_sendTransaction: defineMethod({
    summary: 'Signs a restricted private transaction and submits it to the Ethereum client.',
    params: [param('transaction', privateTransactionRequestCodec, 'private transaction to sign')],
    result: hashCodec,
    errors: SENDING_ERRORS,
    accepts: [PARAMS_WITHOUT_ARRAY, LOOSE_QUANTITIES],
    source: 'interface document, "Signing proxy interface"',
    examples: [
      {
        summary: 'to named recipients',
        params: [{ ...CALL, privateFor: [OTHER_PTM_KEY] }],
        result: MARKER_HASH,
      },
      {
        summary: 'to a privacy group',
        params: [{ ...CALL, privacyGroupId: 'DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=' }],
        result: MARKER_HASH,
      },
    ],
  }),
};
