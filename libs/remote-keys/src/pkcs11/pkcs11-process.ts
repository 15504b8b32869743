import { RemoteKeyError } from '../remote-key-error.js';
import { pkcs11FaultOf } from './pkcs11-fault.js';
import type { Pkcs11Call, Pkcs11Reply, Pkcs11Request } from './pkcs11-messages.js';
import { TokenSession } from './token-session.js';
import { keyNameOf, type Pkcs11KeyName } from './pkcs11-settings.js';

/** The program that loads the library of a vendor: calls to it block, and may hang or end the process (docs/adr/0250). */
let token: TokenSession | undefined;

async function answer(what: Pkcs11Call): Promise<Uint8Array> {
  if (what.call === 'open') {
    token = await TokenSession.open(what);
    return new Uint8Array();
  }
  if (token === undefined) throw new RemoteKeyError('FAILED', 'the token is not open');
  switch (what.call) {
    case 'publicKey':
      return token.publicKey(what.key);
    case 'sign':
      return token.sign(what.key, what.digest);
    case 'generate':
      return makeKey(token, what.key);
  }
}

/** Each of its names alone has to be enough to find a key. */
function makeKey(on: TokenSession, { label, id }: Pkcs11KeyName): Uint8Array {
  for (const name of [{ label }, { id }]) {
    if (keyNameOf(name) !== '' && on.has(name))
      throw new RemoteKeyError('UNSUPPORTED', `the token has a key with ${keyNameOf(name)} already`);
  }
  return on.generate({ label, id });
}

function reply(message: Pkcs11Reply): void {
  process.send?.(message);
}

process.on('message', ({ id, what }: Pkcs11Request) => {
  answer(what).then(
    (bytes) => reply({ id, answer: new Uint8Array(bytes) }),
    (error: unknown) => reply({ id, fault: pkcs11FaultOf(error) }),
  );
});
// Its owner has ended.
process.on('disconnect', () => process.exit());
