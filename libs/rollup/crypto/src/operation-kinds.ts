/** What an operation is, as a number in the kind tag and in the public inputs of a batch. */
export const operationKinds = {
  noOp: 0,
  createAccount: 1,
  createMoneyOrder: 2,
  redeemMoneyOrder: 3,
  outboundTransfer: 4,
  inboundTransfer: 5,
  setConsent: 6,
  credit: 7,
} as const;

export type OperationKind = keyof typeof operationKinds;
