/** etcd's names of processors, for those on which 3.4 starts only with ETCD_UNSUPPORTED_ARCH. */
const PROCESSORS: Readonly<Record<string, string>> = { arm64: 'arm64', s390x: 's390x' };

/**
 * The environment of etcd and its tools: not this process's, from which they would take options (ETCD_NAME, …).
 *
 * Source: etcd v3.4, etcdmain/etcd.go, checkSupportArch
 */
export function etcdEnvironment(): Readonly<Record<string, string>> {
  const processor = PROCESSORS[process.arch];
  return {
    ETCDCTL_API: '3',
    ...(processor === undefined ? {} : { ETCD_UNSUPPORTED_ARCH: processor }),
  };
}
