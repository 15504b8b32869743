import { relative, sep } from 'node:path';

/** Packages that carry binaries for several platforms in one package, and the folder of each. */
const BINARIES = [{ package: '@aztec/bb.js', folder: 'build' }] as const;

/** The package's names of platforms. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const SYSTEMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'macos' };

export interface Platform {
  readonly arch: string;
  readonly platform: string;
}

/**
 * Whether an image for a platform needs a file of a package: of the binaries for several it takes its own. Where a package of
 * the list has none for the platform, it takes all.
 * @param folder - of the package
 * @param path - in the package
 */
export function isForPlatform(folder: string, path: string, { arch, platform }: Platform): boolean {
  const [top, one] = relative(folder, path).split(sep);
  // Where node-gyp-build looks, in any package: `linux-x64`, `darwin-x64+arm64`.
  if (top === 'prebuilds' && one !== undefined) {
    const [system, architectures = ''] = one.split('-');
    return system === platform && architectures.split('+').includes(arch);
  }
  const binaries = BINARIES.find((one) =>
    folder.split(sep).join('/').endsWith(`node_modules/${one.package}`),
  );
  const [architecture, system] = [ARCHITECTURES[arch], SYSTEMS[platform]];
  if (binaries === undefined || architecture === undefined || system === undefined) return true;
  return top !== binaries.folder || one === undefined || one === `${architecture}-${system}`;
}
