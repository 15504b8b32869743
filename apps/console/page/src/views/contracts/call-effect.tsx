import { useState } from 'react';
import { decodeValues } from '../../abi/decode-values.js';
import { titleOf } from '../../abi/readings.js';
import type { SentCall } from '../../abi/sent-call.js';
import { useAccount } from '../../api/queries.js';
import { coins, count } from '../../parts/format.js';
import { Facts } from '../../parts/facts.js';
import type { Offered } from './offered-call.js';
import { Values } from './values.js';

/** What a call says, decoded from the very data that is sent, and the nonce by which one sees whether it was. */
export function CallEffect(props: {
  readonly node: string;
  readonly offered: Offered;
  readonly call: SentCall;
}) {
  const { node, offered, call } = props;
  return (
    <Facts
      of={{
        Contract: <code>{call.to}</code>,
        Function: (
          <>
            <code>
              <bdi>{titleOf(offered.entry)}</bdi>
            </code>{' '}
            <small>
              by the ABI file <bdi>{offered.by}</bdi>
            </small>
          </>
        ),
        Arguments: <Values of={decodeValues(offered.entry.inputs, `0x${call.data.slice(10)}`).values} />,
        Coins: coins(call.value),
        'Nonce of the account': <Nonce node={node} account={call.from} />,
      }}
    />
  );
}

/** It grows when a transaction of the account is mined. */
function Nonce({ node, account }: { readonly node: string; readonly account: string }) {
  const { data } = useAccount(node, account);
  const [first, setFirst] = useState<number>();
  if (first === undefined && data !== undefined) setFirst(data.nonce);
  if (data === undefined || first === undefined) return 'not known yet';
  return `${count(first)} at first, ${count(data.nonce)} now`;
}
