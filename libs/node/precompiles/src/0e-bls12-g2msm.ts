import { bls12Msm } from './bls12-operations.js';
import { BLS12_G2_DISCOUNTS } from './curves/bls12-discounts.js';
import { BLS12_GROUP_2 } from './curves/bls12-group.js';

/** BLS12_G2MSM. Source: EIP-2537. */
export const bls12G2Msm = bls12Msm(BLS12_GROUP_2, 22_500, BLS12_G2_DISCOUNTS);
