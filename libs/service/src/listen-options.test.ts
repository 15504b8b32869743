import { describe, expect, it } from '@jest/globals';
import { defineOptions } from './define-options.js';
import { listenOptions } from './listen-options.js';

const options = defineOptions({
  ...listenOptions('peer', 'Peers', { host: 'Address.', port: 'Port.', defaultPort: 9_103 }),
  ...listenOptions('thirdParty', 'Clients', { host: 'Address.', port: 'Port.', defaultPort: undefined }),
});

describe('options of what listens', () => {
  it('are an address and a port, on loopback and the given port by default', () => {
    expect(Object.keys(options)).toEqual([
      'peerListenHost',
      'peerListenPort',
      'thirdPartyListenHost',
      'thirdPartyListenPort',
    ]);
    expect(options.peerListenHost).toMatchObject({ group: 'Peers', default: '127.0.0.1' });
    expect(options.peerListenPort).toMatchObject({ group: 'Peers', default: 9_103 });
  });

  it('have no default port where nothing listens unless it is asked for', () => {
    expect('default' in options.thirdPartyListenPort).toBe(false);
  });
});
