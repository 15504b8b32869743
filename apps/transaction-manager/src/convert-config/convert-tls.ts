import type { SettingsConversion } from '@tetrad/service';
import type { TesseraSsl } from './tessera-config.js';

/**
 * TLS of the peer port. PEM files are taken; Java key stores have to be exported, and the start fails until they are.
 *
 * @param name of the server, for the table
 */
export function convertTls(name: string, ssl: TesseraSsl | undefined, conversion: SettingsConversion): void {
  if (ssl === undefined) return;
  if (ssl.tls.toUpperCase() === 'OFF') return conversion.keep(`${name} sslConfig`, 'off, as without options');
  const [authority, ...further] = ssl.serverTrustCertificates ?? [];
  const files: readonly (readonly [option: string, path: string | undefined, exported: string])[] = [
    ['peer-tls-cert-file', ssl.serverTlsCertificatePath, 'peer-cert.pem'],
    ['peer-tls-key-file', ssl.serverTlsKeyPath, 'peer-key.pem'],
    ['peer-tls-ca-file', authority, 'peer-ca.pem'],
  ];
  for (const [option, path, exported] of files) {
    if (path) conversion.take(`${name} sslConfig`, option, path);
    else conversion.change(`${name} sslConfig`, option, exported, 'export it from the key store as PEM');
  }
  if (further.length > 0)
    conversion.ignore(
      `${name} sslConfig.serverTrustCertificates`,
      `all but the first: add ${further.join(', ')} to that file`,
    );
  const { clientTlsCertificatePath: certificate, clientTlsKeyPath: key } = ssl;
  if (certificate) conversion.take(`${name} sslConfig`, 'peer-tls-client-cert-file', certificate);
  if (key) conversion.take(`${name} sslConfig`, 'peer-tls-client-key-file', key);
}
