import { useAccount } from '../api/queries.js';
import { byteLength, coins, count } from '../parts/format.js';
import { Facts } from '../parts/facts.js';
import { Loaded } from '../parts/loaded.js';

export function AccountView({ node, address }: { readonly node: string; readonly address: string }) {
  const query = useAccount(node, address);
  return (
    <>
      <h1>Account</h1>
      <Loaded query={query}>
        {({ balance, nonce, code }) => (
          <>
            <Facts
              of={{
                Address: <code>{address}</code>,
                Kind: code === '0x' ? 'no code: an account, or nothing yet' : 'contract',
                Balance: coins(balance),
                Nonce: count(nonce),
                Code: code === '0x' ? undefined : `${count(byteLength(code))} bytes`,
              }}
            />
            {code !== '0x' && (
              <section aria-labelledby="code">
                <h2 id="code">Code</h2>
                <pre className="bytes">{code}</pre>
              </section>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
